package org.berth.drawing.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.drawing.internal.text.Axis;
import org.berth.drawing.internal.text.Palette;
import org.berth.text.WordWrap;

/**
 * Which CPU every thread ran on over time, for a terminal: one row per thread, one column per step of time.
 *
 * @since 0.1.0
 */
public final class TimelineText {
    /** The kernel keeps 15 bytes of a name; complete names get more where the screen has it. */
    private static final int NAME_WIDTH = 15;

    private static final int TID_WIDTH = 7;
    private static final int BESIDE_NAME = 1 + TID_WIDTH + 2;
    private static final int RIGHT = 18;
    private static final int COLOURED_CPUS = 12;

    /**
     * How the picture may look.
     *
     * @param columns width that no line exceeds
     * @param rows most threads shown
     */
    public record Style(int columns, int rows, boolean colour, boolean utf8) {}

    private TimelineText() {}

    /**
     * The lines of the picture, its heading first.
     *
     * @param summaries of all threads, the most important first
     */
    public static List<String> render(
            List<ThreadSummary> summaries, long startNanos, long endNanos, CpuRows cpus, Style style) {
        List<ThreadSummary> shown = summaries.subList(0, ThreadSummary.worthShowing(summaries, style.rows()));
        int nameWidth = nameWidth(shown, style.columns());
        int cellWidth = cpus.digits() + (cpus.digits() > 1 && !style.colour() ? 1 : 0);
        int steps = Math.max(10, (style.columns() - nameWidth - BESIDE_NAME - RIGHT) / cellWidth);
        double seconds = (endNanos - startNanos) / 1e9;
        TimelineGrid grid = TimelineGrid.of(shown, startNanos, endNanos, steps);

        List<String> lines = new ArrayList<>();
        lines.add(heading(seconds, nameWidth, steps * cellWidth));
        for (int i = 0; i < shown.size(); i++) {
            lines.add(row(shown.get(i), grid.threads().get(i), cpus, nameWidth, cellWidth, style));
        }
        lines.add("");
        String legend = String.format(
                Locale.ROOT,
                "A column is %s; a number is the CPU that the thread ran on longest in it, %s is no CPU time.",
                duration(grid.stepNanos() / 1e9),
                nothing(style));
        lines.addAll(WordWrap.wrap(legend, style.columns()));
        if (summaries.size() > shown.size()) {
            double rest = summaries.subList(shown.size(), summaries.size()).stream()
                    .mapToLong(ThreadSummary::cpuNanos)
                    .sum();
            lines.add(String.format(
                    Locale.ROOT,
                    "%d more threads used %.2f s of CPU time together.",
                    summaries.size() - shown.size(),
                    rest / 1e9));
        }
        return lines;
    }

    private static String heading(double seconds, int nameWidth, int width) {
        StringBuilder axis = new StringBuilder(" ".repeat(width));
        Axis time = Axis.time(seconds, Math.max(1, width / 12));
        for (double mark : time.marks()) {
            int column = (int) (time.share(mark) * width);
            String label = time.seconds(mark);
            if (column + label.length() <= width) {
                axis.replace(column, column + label.length(), label);
            }
        }
        String thread = name("THREAD", nameWidth);
        return String.format(Locale.ROOT, "%s %7s  %s %9s %6s", thread, "TID", axis, "CPU TIME", "MIGR.");
    }

    /** Up to a third of the screen. */
    private static int nameWidth(List<ThreadSummary> shown, int columns) {
        int longest = shown.stream()
                .mapToInt(thread -> thread.track().name().length())
                .max()
                .orElse(NAME_WIDTH);
        return Math.max(NAME_WIDTH, Math.min(longest, columns / 3));
    }

    /** Shortens a long name in the middle, because threads of a pool differ at the end. */
    private static String name(String name, int width) {
        String fitting = name;
        if (name.length() > width) {
            int head = (width - 2) / 2;
            fitting = name.substring(0, head) + ".." + name.substring(name.length() - (width - 2 - head));
        }
        return fitting + " ".repeat(width - fitting.length());
    }

    private static String row(
            ThreadSummary thread, TimelineGrid.Lane grid, CpuRows cpus, int nameWidth, int cellWidth, Style style) {
        StringBuilder cells = new StringBuilder();
        boolean byNode = cpus.all().size() > COLOURED_CPUS;
        for (int step = 0; step < grid.steps().size(); step++) {
            int cpu = grid.mainCpu(step);
            String text = cpu < 0 ? nothing(style) : Integer.toString(cpu);
            String cell = " ".repeat(Math.max(0, cellWidth - text.length())) + text;
            boolean coloured = style.colour() && cpu >= 0;
            cells.append(coloured ? Palette.onBackground(cell, byNode ? cpus.nodeOf(cpu) : cpu) : cell);
        }
        return String.format(
                Locale.ROOT,
                "%s %7d  %s %7.2f s %6d",
                name(thread.track().name(), nameWidth),
                thread.track().tid(),
                cells,
                thread.cpuNanos() / 1e9,
                thread.migrations().betweenCpus());
    }

    private static String nothing(Style style) {
        return style.utf8() ? "·" : ".";
    }

    /** "120 ms", "1.5 s". */
    static String duration(double seconds) {
        return seconds < 1
                ? String.format(Locale.ROOT, "%.0f ms", seconds * 1000)
                : String.format(Locale.ROOT, "%.1f s", seconds);
    }
}
