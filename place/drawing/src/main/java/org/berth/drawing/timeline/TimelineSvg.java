package org.berth.drawing.timeline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.drawing.internal.text.Labels;
import org.berth.drawing.internal.text.Palette;
import org.berth.topology.CpuSet;

/**
 * Which threads ran on which CPU over time, as figures 2 and 3 of "Spark executors love NUMA process affinity" (IBM)
 * show it: time to the right, a row for each logical CPU, a colour for each thread. A thread that stays keeps its
 * colour in one row; one that migrates is joined by a thin line from row to row.
 *
 * @since 0.1.0
 */
public final class TimelineSvg {
    private static final int PLOT_WIDTH = 1000;
    private static final int LEFT = 118;
    private static final int TOP = 64;
    private static final int LEGEND_WIDTH = 430;
    /** Where the columns of numbers of the legend end; names and TIDs stand to the left of them. */
    private static final int CPU_TIME_RIGHT = 314;

    private static final int MIGRATIONS_RIGHT = 404;
    /** With a TID of seven digits this still leaves room for a CPU time. */
    private static final int NAME_LENGTH = 26;

    private static final int LEGEND_LINE = 20;
    /** Heights of the CPUs' rows together, about, and of one. */
    private static final int PLOT_HEIGHT = 700;

    private static final int MAX_ROW = 110;
    private static final int MIN_ROW = 3;
    /** Rows from this height on have a line below and air around their bars. */
    private static final int ROW_WITH_LINE = 8;
    /** With more migrations than this the lines would hide what they join. */
    private static final int MAX_LINES = 1500;
    /** Threads that used less of all CPU time get no lines. */
    private static final double SMALLEST_SHARE = 0.01;

    private final Markup out = new Markup();
    private final List<ThreadSummary> threads;
    private final int coloured;
    private final CpuRows cpus;
    private final TimelineGrid grid;
    private final double seconds;
    private final int rowHeight;
    private final TimelineBars.Plot plot;
    private final Map<Integer, Integer> rowOfCpu = new TreeMap<>();

    private TimelineSvg(List<ThreadSummary> threads, long startNanos, long endNanos, long intervalNanos, CpuRows cpus) {
        this.threads = threads;
        this.coloured = ThreadSummary.worthShowing(threads, Palette.size());
        this.cpus = cpus;
        this.seconds = (endNanos - startNanos) / 1e9;
        long intervals = (endNanos - startNanos) / Math.max(1, intervalNanos);
        int steps = (int) Math.max(1, Math.min(PLOT_WIDTH, intervals));
        this.grid = TimelineGrid.of(threads, startNanos, endNanos, steps);
        this.rowHeight = Math.max(
                MIN_ROW, Math.min(MAX_ROW, PLOT_HEIGHT / Math.max(1, cpus.all().size())));
        double air = rowHeight >= ROW_WITH_LINE ? 1 : 0.25;
        this.plot = new TimelineBars.Plot(LEFT, TOP, PLOT_WIDTH, rowHeight, rowHeight - 2 * air, air);
        for (int i = 0; i < cpus.all().size(); i++) {
            rowOfCpu.put(cpus.all().get(i).cpu(), i);
        }
    }

    /**
     * A complete SVG document.
     *
     * @param title first line of the picture
     * @param subtitle second line
     * @param threads the most important first: the first ones get colours of their own
     * @param intervalNanos time between two samples; nothing is drawn finer
     * @param allowed CPUs that the process may use; the others are drawn darker
     */
    public static String render(
            String title,
            String subtitle,
            List<ThreadSummary> threads,
            long startNanos,
            long endNanos,
            long intervalNanos,
            CpuRows cpus,
            CpuSet allowed) {
        TimelineSvg svg = new TimelineSvg(threads, startNanos, endNanos, intervalNanos, cpus);
        return svg.draw(title, subtitle, allowed);
    }

    private String draw(String title, String subtitle, CpuSet allowed) {
        int plotHeight = rowHeight * cpus.all().size();
        int legendHeight = LEGEND_LINE * (coloured + 4);
        String height = Integer.toString(TOP + Math.max(plotHeight + 60, legendHeight));
        String width = Integer.toString(LEFT + PLOT_WIDTH + LEGEND_WIDTH);
        out.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "width",
                width,
                "height",
                height,
                "viewBox",
                "0 0 " + width + " " + height,
                "font-family",
                "DejaVu Sans, Helvetica, sans-serif",
                "font-size",
                "12",
                "fill",
                "#222");
        rectangle(0, 0, width, height, "#fff");
        text(16, 26, title, "font-size", "17", "font-weight", "bold");
        text(16, 46, subtitle, "fill", "#555");
        background(allowed);
        timeMarks(plotHeight);
        long cpuNanos = threads.stream().mapToLong(ThreadSummary::cpuNanos).sum();
        for (int rank = threads.size() - 1; rank >= 0; rank--) {
            if (rank < coloured && threads.get(rank).cpuNanos() >= SMALLEST_SHARE * cpuNanos) {
                migrations(rank);
            }
        }
        bars();
        legend();
        return out.close().finishXml();
    }

    /** Bands of nodes and the names of rows. */
    private void background(CpuSet allowed) {
        List<CpuRows.Row> rows = cpus.all();
        int everyNth = Math.max(1, (int) Math.ceil(12.0 / rowHeight));
        int nodeStart = 0;
        int band = 0;
        for (int i = 0; i < rows.size(); i++) {
            CpuRows.Row row = rows.get(i);
            boolean may = allowed.contains(row.cpu());
            String fill = may ? band % 2 == 0 ? "#f7f9fc" : "#fdf8f0" : "#e4e4e4";
            rectangle(LEFT, y(i), Integer.toString(PLOT_WIDTH), Integer.toString(rowHeight), fill);
            if (i % everyNth == 0) {
                text(
                        LEFT - 6,
                        y(i) + Math.max(rowHeight, 12) / 2.0 + 4,
                        "CPU " + row.cpu(),
                        "text-anchor",
                        "end",
                        "font-size",
                        Integer.toString(Math.min(12, Math.max(9, rowHeight - 2))),
                        "fill",
                        may ? "#222" : "#999");
            }
            boolean last = i + 1 == rows.size() || rows.get(i + 1).node() != row.node();
            if (last) {
                int bottom = y(i + 1);
                double middle = (y(nodeStart) + bottom) / 2.0;
                line(52, y(nodeStart) + 2, 52, bottom - 2, "#888", "stroke-width", "2");
                text(16, middle - 2, "node", "fill", "#555", "font-size", "11");
                text(16, middle + 12, Integer.toString(row.node()), "fill", "#555", "font-weight", "bold");
                line(LEFT, bottom, LEFT + PLOT_WIDTH, bottom, "#999");
                nodeStart = i + 1;
                band++;
            } else if (rowHeight >= ROW_WITH_LINE) {
                line(LEFT, y(i + 1), LEFT + PLOT_WIDTH, y(i + 1), "#e2e6ec");
            }
        }
    }

    private void timeMarks(int plotHeight) {
        Axis time = Axis.time(seconds, 10);
        for (double mark : time.marks()) {
            double x = LEFT + time.share(mark) * PLOT_WIDTH;
            line(x, TOP, x, TOP + plotHeight + 5, "#d5d9e0");
            text(x, TOP + plotHeight + 20, time.seconds(mark), "text-anchor", "middle");
        }
        text(
                LEFT + PLOT_WIDTH / 2.0,
                TOP + plotHeight + 40,
                "time since the first sample",
                "text-anchor",
                "middle",
                "fill",
                "#555");
    }

    private void bars() {
        int[] colours = IntStream.range(0, threads.size())
                .map(rank -> Math.min(rank, coloured))
                .toArray();
        List<String> paths = TimelineBars.paths(grid, colours, coloured + 1, cpus.all(), plot);
        for (int colour = 0; colour < paths.size(); colour++) {
            if (!paths.get(colour).isEmpty()) {
                String fill = colour < coloured ? Palette.thread(colour) : Palette.OTHERS;
                out.empty("path", "fill", fill, "d", paths.get(colour));
            }
        }
    }

    /** Thin lines that join a thread's rows where it migrated. */
    private void migrations(int rank) {
        TimelineGrid.Lane thread = grid.threads().get(rank);
        StringBuilder path = new StringBuilder();
        int lines = 0;
        int before = -1;
        for (int step = 0; step < grid.steps(); step++) {
            int cpu = thread.mainCpu(step);
            Integer row = rowOfCpu.get(cpu);
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
        if (lines > 0 && lines <= MAX_LINES / coloured) {
            out.empty(
                    "path",
                    "fill",
                    "none",
                    "stroke",
                    Palette.thread(rank),
                    "stroke-width",
                    "1.2",
                    "opacity",
                    "0.55",
                    "d",
                    path.toString());
        }
    }

    private void legend() {
        int x = LEFT + PLOT_WIDTH + 24;
        int y = TOP + 10;
        text(x + 18, y, "thread", "font-weight", "bold");
        text(x + CPU_TIME_RIGHT, y, "CPU time", "font-weight", "bold", "text-anchor", "end");
        text(x + MIGRATIONS_RIGHT, y, "migrations", "font-weight", "bold", "text-anchor", "end");
        for (int rank = 0; rank < coloured; rank++) {
            ThreadSummary thread = threads.get(rank);
            y += LEGEND_LINE;
            out.open("text", "x", Integer.toString(x + 18), "y", Integer.toString(y))
                    .text(Labels.shorten(thread.track().name(), NAME_LENGTH) + " ")
                    .leaf("tspan", Integer.toString(thread.track().tid()), "fill", "#999")
                    .leaf("title", thread.track().name())
                    .close();
            legendLine(
                    x,
                    y,
                    Palette.thread(rank),
                    thread.cpuNanos(),
                    thread.migrations().betweenCpus());
        }
        List<ThreadSummary> others = threads.subList(coloured, threads.size());
        if (!others.isEmpty()) {
            y += LEGEND_LINE;
            text(x + 18, y, Labels.count(others.size(), "other"));
            legendLine(
                    x,
                    y,
                    Palette.OTHERS,
                    others.stream().mapToLong(ThreadSummary::cpuNanos).sum(),
                    others.stream()
                            .mapToLong(one -> one.migrations().betweenCpus())
                            .sum());
        }
    }

    private void legendLine(int x, int y, String colour, long cpuNanos, long migrations) {
        rectangle(x, y - 10, "12", "12", colour);
        text(x + CPU_TIME_RIGHT, y, String.format(Locale.ROOT, "%.2f s", cpuNanos / 1e9), "text-anchor", "end");
        text(x + MIGRATIONS_RIGHT, y, Long.toString(migrations), "text-anchor", "end");
    }

    private int y(int row) {
        return TOP + row * rowHeight;
    }

    private void rectangle(int x, int y, String width, String height, String fill) {
        out.empty(
                "rect",
                "x",
                Integer.toString(x),
                "y",
                Integer.toString(y),
                "width",
                width,
                "height",
                height,
                "fill",
                fill);
    }

    private void line(double x1, double y1, double x2, double y2, String stroke, String... more) {
        out.empty(
                "line",
                with(
                        more,
                        "x1",
                        coordinate(x1),
                        "y1",
                        coordinate(y1),
                        "x2",
                        coordinate(x2),
                        "y2",
                        coordinate(y2),
                        "stroke",
                        stroke));
    }

    /** y is the base line. */
    private void text(double x, double y, String text, String... more) {
        out.leaf("text", text, with(more, "x", coordinate(x), "y", coordinate(y)));
    }

    private static String[] with(String[] more, String... first) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new);
    }

    private static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
