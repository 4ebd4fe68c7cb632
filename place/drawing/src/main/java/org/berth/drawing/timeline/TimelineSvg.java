package org.berth.drawing.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.drawing.internal.text.Palette;
import org.berth.text.WordWrap;
import org.berth.text.Words;
import org.berth.topology.CpuSet;

/**
 * Which threads ran on which CPU over time, as figures 2 and 3 of "Spark executors love NUMA process affinity" (IBM)
 * show it: time to the right, a row for each CPU, a colour for each thread, which follows from its name. A thread that stays
 * keeps its colour in one row; one that migrates is joined by a thin line from row to row. The colours follow the reader's light or
 * dark scheme.
 *
 * @since 0.1.0
 */
public final class TimelineSvg {
    /** A README shows a picture at about this width. */
    private static final int WIDTH = 900;

    private static final int SHORTEST_LEFT = 92;
    /** The right end of the rows. */
    private static final int RIGHT = 852;
    /** Room for the numbers of nodes, and for a letter of a row's name. */
    private static final int NODES = 54;

    private static final int LETTER = 7;
    private static final int MARGIN = 16;
    private static final int LINE = 20;
    /** Characters that fit into the width, in the title and in other lines. */
    private static final int TITLE_CHARACTERS = 84;

    private static final int CHARACTERS = 118;

    private static final int MOST_ROWS = 64;
    /** Heights of the rows together, about, and of one. */
    private static final int PLOT_HEIGHT = 640;

    private static final int MAX_ROW = 110;
    private static final int MIN_ROW = 3;
    /** Rows from this height on have a line below and air around their bars. */
    private static final int ROW_WITH_LINE = 8;
    /** The first row has marks for 0 and 100 % from this height on. */
    private static final int ROW_WITH_SCALE = 24;
    /** The height of a line of text. */
    private static final int TEXT = 14;
    /** Maximum number of migrations that are drawn as lines; more would hide what they join. */
    private static final int MAX_LINES = 1500;
    /** Threads that used less of all CPU time get no lines. */
    private static final double SMALLEST_SHARE = 0.01;

    private final Markup out = new Markup();
    private final List<ThreadSummary> threads;
    private final int[] colours;
    private final CpuRows.Lanes lanes;
    private final List<CpuRows.Lane> rows;
    private final CpuSet allowed;
    private final TimelineGrid grid;
    private final double seconds;
    private final List<String> title;
    private final List<String> subtitle;
    private final int top;
    private final int left;
    private final int width;
    private final int rowHeight;
    private final TimelineBars.Plot plot;
    private final Map<Integer, Integer> rowOfCpu = new TreeMap<>();
    private int linesLeftOut;

    private TimelineSvg(Timeline timeline) {
        this.threads = timeline.threads();
        this.colours = Palette.byName(threads.subList(0, ThreadSummary.worthShowing(threads, Palette.SIZE)).stream()
                .map(thread -> thread.track().name())
                .toList());
        this.lanes = timeline.cpus().lanes(MOST_ROWS);
        this.rows = lanes.all();
        this.allowed = timeline.allowed();
        long nanos = timeline.endNanos() - timeline.startNanos();
        this.seconds = nanos / 1e9;
        this.title = WordWrap.wrap(timeline.title(), TITLE_CHARACTERS);
        this.subtitle = WordWrap.wrap(timeline.subtitle(), CHARACTERS);
        this.top = LINE * (1 + title.size() + subtitle.size());
        int longest = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
        this.left = Math.max(SHORTEST_LEFT, NODES + longest * LETTER);
        this.width = RIGHT - left;
        int steps = (int) Math.max(1, Math.min(width, nanos / Math.max(1, timeline.intervalNanos())));
        this.grid = TimelineGrid.of(threads, timeline.startNanos(), timeline.endNanos(), steps);
        this.rowHeight = Math.max(MIN_ROW, Math.min(MAX_ROW, PLOT_HEIGHT / Math.max(1, rows.size())));
        double air = rowHeight >= ROW_WITH_LINE ? 1 : 0.25;
        this.plot = new TimelineBars.Plot(left, top, width, rowHeight, rowHeight - 2 * air, air);
        for (int i = 0; i < rows.size(); i++) {
            int row = i;
            rows.get(i).cpus().stream().forEach(cpu -> rowOfCpu.put(cpu, row));
        }
    }

    /** A complete SVG document. On a machine with more than {@value #MOST_ROWS} CPUs, those of a core, L3 cache or node share a row. */
    public static String render(Timeline timeline) {
        return new TimelineSvg(timeline).draw();
    }

    private String draw() {
        List<String> moves = moves();
        List<String> notes = notes();
        int plotHeight = rowHeight * rows.size();
        int legendTop = top + plotHeight + 3 * LINE;
        TimelineLegend legend = new TimelineLegend(out, threads, colours, MARGIN, WIDTH - 2 * MARGIN);
        int height = legendTop + legend.height() + LINE * notes.size() + MARGIN;
        out.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "role",
                "img",
                "aria-label",
                String.join(" ", title),
                "width",
                Integer.toString(WIDTH),
                "height",
                Integer.toString(height),
                "viewBox",
                "0 0 " + WIDTH + " " + height);
        out.leaf("title", String.join(" ", title));
        out.leaf("desc", String.join(" ", subtitle));
        out.style(TimelineStyle.css());
        out.empty("rect", "class", "page", "width", "100%", "height", "100%");
        int y = LINE + 4;
        for (String line : title) {
            text(MARGIN, y, line, "title");
            y += LINE;
        }
        for (String line : subtitle) {
            text(MARGIN, y, line, "quiet");
            y += LINE;
        }
        background();
        scale();
        timeMarks(plotHeight);
        for (int rank = colours.length - 1; rank >= 0; rank--) {
            if (!moves.get(rank).isEmpty()) {
                out.empty("path", "class", "move m" + colours[rank], "d", moves.get(rank));
            }
        }
        bars();
        legend.draw(legendTop);
        y = legendTop + legend.height() + TEXT;
        for (String note : notes) {
            text(MARGIN, y, note, "quiet");
            y += LINE;
        }
        return out.close().finishXml();
    }

    private List<String> notes() {
        StringBuilder text = new StringBuilder(
                lanes.unit().equals("CPU")
                        ? "A row is a CPU, and a bar of its height is a whole CPU."
                        : "A row is the CPUs of "
                                + (lanes.unit().startsWith("L") ? "an " : "a ")
                                + lanes.unit()
                                + ", and a bar of its height is all of them.");
        if (linesLeftOut > 0) {
            text.append(" Thin lines are migrations; ")
                    .append(Words.count(linesLeftOut, "line"))
                    .append(" of threads that hardly run or often migrate are left out.");
        }
        if (rows.stream().anyMatch(row -> !row.cpus().intersects(allowed))) {
            text.append(" The process may not use CPUs on grey.");
        }
        return WordWrap.wrap(text.toString(), CHARACTERS);
    }

    /** Bands of nodes and the names of rows. */
    private void background() {
        int everyNth = Math.max(1, (int) Math.ceil((double) TEXT / rowHeight));
        int nodeStart = 0;
        int band = 0;
        for (int i = 0; i < rows.size(); i++) {
            CpuRows.Lane row = rows.get(i);
            String style = !row.cpus().intersects(allowed) ? "band forbidden" : band % 2 == 0 ? "band" : "band other";
            out.empty(
                    "rect",
                    "class",
                    style,
                    "x",
                    Integer.toString(left),
                    "y",
                    Integer.toString(y(i)),
                    "width",
                    Integer.toString(width),
                    "height",
                    Integer.toString(rowHeight));
            if (i % everyNth == 0) {
                text(left - 6, y(i) + Math.max(rowHeight, TEXT) / 2.0 + 4, row.name(), "end");
            }
            boolean last = i + 1 == rows.size() || rows.get(i + 1).node() != row.node();
            if (last) {
                int bottom = y(i + 1);
                double middle = (y(nodeStart) + bottom) / 2.0;
                if (bottom - y(nodeStart) >= 2 * TEXT) {
                    line("edge", 40, y(nodeStart) + 2, 40, bottom - 2);
                    text(4, middle - 2, "node", "quiet");
                    text(4, middle + 14, Integer.toString(row.node()), "strong");
                }
                line("edge", left, bottom, left + width, bottom);
                nodeStart = i + 1;
                band++;
            } else if (rowHeight >= ROW_WITH_LINE) {
                line("", left, y(i + 1), left + width, y(i + 1));
            }
        }
    }

    private void scale() {
        if (rowHeight >= ROW_WITH_SCALE) {
            text(left + width + 4, top + 11.0, "100 %", "quiet");
            text(left + width + 4, top + rowHeight - 2.0, "0", "quiet");
        }
    }

    private void timeMarks(int plotHeight) {
        Axis time = Axis.time(seconds, 10);
        for (double mark : time.marks()) {
            double x = left + time.share(mark) * width;
            line("", x, top, x, top + plotHeight + 5);
            text(x, top + plotHeight + LINE, time.seconds(mark), "middle");
        }
        text(left + width / 2.0, top + plotHeight + 2 * LINE, "time since the first sample", "middle quiet");
    }

    private void bars() {
        int[] all = IntStream.range(0, threads.size())
                .map(rank -> rank < colours.length ? colours[rank] : Palette.SIZE)
                .toArray();
        List<String> paths = TimelineBars.paths(grid, all, Palette.SIZE + 1, rows, plot);
        for (int colour = 0; colour < paths.size(); colour++) {
            if (!paths.get(colour).isEmpty()) {
                out.empty("path", "class", colour < Palette.SIZE ? "t" + colour : "others", "d", paths.get(colour));
            }
        }
    }

    /** Thin lines that join the rows where a thread migrated, for each with a colour; empty where there would be too many. */
    private List<String> moves() {
        long cpuNanos = threads.stream().mapToLong(ThreadSummary::cpuNanos).sum();
        List<String> paths = new ArrayList<>();
        for (int rank = 0; rank < threads.size(); rank++) {
            StringBuilder path = new StringBuilder();
            int lines = moves(grid.threads().get(rank), path);
            boolean drawn = rank < colours.length
                    && lines <= MAX_LINES / colours.length
                    && threads.get(rank).cpuNanos() >= SMALLEST_SHARE * cpuNanos;
            linesLeftOut += drawn ? 0 : lines;
            paths.add(drawn ? path.toString() : "");
        }
        return paths;
    }

    private int moves(TimelineGrid.Lane thread, StringBuilder path) {
        int lines = 0;
        int before = -1;
        for (int step = 0; step < grid.steps(); step++) {
            Integer row = rowOfCpu.get(thread.mainCpu(step));
            if (row == null) {
                continue;
            }
            if (before >= 0 && before != row) {
                path.append(String.format(
                        Locale.ROOT,
                        "M%.1f %.1fV%.1f",
                        plot.x(step, grid.steps()),
                        y(before) + rowHeight / 2.0,
                        y(row) + rowHeight / 2.0));
                lines++;
            }
            before = row;
        }
        return lines;
    }

    private int y(int row) {
        return top + row * rowHeight;
    }

    private void line(String style, double x1, double y1, double x2, double y2) {
        List<String> attributes = new ArrayList<>(style.isEmpty() ? List.of() : List.of("class", style));
        attributes.addAll(Arrays.asList("x1", at(x1), "y1", at(y1), "x2", at(x2), "y2", at(y2)));
        out.empty("line", attributes.toArray(String[]::new));
    }

    /** y is the baseline. */
    private void text(double x, double y, String text, String style) {
        out.leaf("text", text, "class", style, "x", at(x), "y", at(y));
    }

    static String at(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
