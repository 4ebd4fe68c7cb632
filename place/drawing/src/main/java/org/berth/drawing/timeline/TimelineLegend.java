package org.berth.drawing.timeline;

import java.util.List;
import java.util.Locale;
import org.berth.drawing.internal.svg.Markup;
import org.berth.text.Words;

/** The threads with their colours below a timeline, in two columns. */
final class TimelineLegend {
    private static final int LINE = 20;
    private static final int GAP = 24;
    /** The right end of the first numbers, counted from that of a column. */
    private static final int CPU_TIME = 92;

    /** Maximum length of a name; it leaves room for a CPU time even after a TID of seven digits. */
    private static final int NAME_LENGTH = 22;

    private final Markup out;
    private final List<ThreadSummary> threads;
    private final int[] colours;
    private final int left;
    private final int column;
    private final int lines;

    /** @param colours those of the first threads; all others share one */
    TimelineLegend(Markup out, List<ThreadSummary> threads, int[] colours, int left, int width) {
        this.out = out;
        this.threads = threads;
        this.colours = colours;
        this.left = left;
        this.column = (width - GAP) / 2;
        int entries = colours.length + (colours.length < threads.size() ? 1 : 0);
        this.lines = (entries + 1) / 2;
    }

    /** In pixels, with the header and a line of air below. */
    int height() {
        return LINE * (lines + 2);
    }

    void draw(int top) {
        for (int i = 0; i < 2; i++) {
            if (i == 0 || colours.length > 1) {
                header(left + i * (column + GAP), top);
            }
        }
        for (int rank = 0; rank < colours.length; rank++) {
            ThreadSummary thread = threads.get(rank);
            int x = x(rank);
            int y = y(rank, top);
            out.open("text", "x", Integer.toString(x + 18), "y", Integer.toString(y))
                    .text(Words.shorten(thread.track().name(), NAME_LENGTH) + " ")
                    .leaf("tspan", Integer.toString(thread.track().tid()), "class", "quiet")
                    .leaf("title", thread.track().name())
                    .close();
            entry(
                    x,
                    y,
                    "t" + colours[rank],
                    thread.cpuNanos(),
                    thread.migrations().betweenCpus());
        }
        List<ThreadSummary> others = threads.subList(colours.length, threads.size());
        if (!others.isEmpty()) {
            int x = x(colours.length);
            int y = y(colours.length, top);
            text(x + 18, y, Words.count(others.size(), "other thread"), "");
            entry(
                    x,
                    y,
                    "others",
                    others.stream().mapToLong(ThreadSummary::cpuNanos).sum(),
                    others.stream()
                            .mapToLong(one -> one.migrations().betweenCpus())
                            .sum());
        }
    }

    private int x(int entry) {
        return left + entry / lines * (column + GAP);
    }

    private int y(int entry, int top) {
        return top + LINE * (1 + entry % lines);
    }

    private void header(int x, int y) {
        text(x + 18, y, "thread", "strong");
        text(x + column - CPU_TIME, y, "CPU time", "strong end");
        text(x + column, y, "migrations", "strong end");
    }

    private void entry(int x, int y, String style, long cpuNanos, long migrations) {
        out.empty(
                "rect",
                "class",
                style,
                "x",
                Integer.toString(x),
                "y",
                Integer.toString(y - 10),
                "width",
                "12",
                "height",
                "12");
        text(x + column - CPU_TIME, y, String.format(Locale.ROOT, "%.2f s", cpuNanos / 1e9), "end");
        text(x + column, y, String.format(Locale.ROOT, "%,d", migrations).replace(',', '\u202f'), "end");
    }

    private void text(int x, int y, String text, String style) {
        String[] place = {"x", Integer.toString(x), "y", Integer.toString(y)};
        if (style.isEmpty()) {
            out.leaf("text", text, place);
        } else {
            out.leaf("text", text, "class", style, place[0], place[1], place[2], place[3]);
        }
    }
}
