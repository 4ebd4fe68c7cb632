package org.berth.drawing.timeline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.drawing.text.Palette;
import org.berth.drawing.text.TimeAxis;
import org.berth.topology.CpuSet;

/**
 * Which threads ran on which CPU over time, as figures 2 and 3 of "Spark executors love NUMA process affinity" (IBM)
 * show it: time to the right, a row for each logical CPU, a colour for each thread. A thread that stays keeps its
 * colour in one row; one that moves is joined by a thin line from row to row.
 */
public final class TimelineSvg {
    private static final int PLOT_WIDTH = 1000;
    private static final int LEFT = 118;
    private static final int TOP = 64;
    private static final int LEGEND_WIDTH = 330;
    private static final int LEGEND_LINE = 20;
    /** Heights of the CPUs' rows together, about, and of one. */
    private static final int PLOT_HEIGHT = 700;

    private static final int MAX_ROW = 110;
    private static final int MIN_ROW = 3;
    /** With more moves than this the lines would hide what they join. */
    private static final int MAX_LINES = 1500;
    /** Threads that used less of all CPU time get no lines. */
    private static final double SMALLEST_SHARE = 0.01;
    /** A row's height is shared in so many parts, which keeps the file small. */
    private static final int PARTS = 48;

    private final StringBuilder out = new StringBuilder();
    private final List<ThreadSummary> threads;
    private final int coloured;
    private final CpuRows cpus;
    private final TimelineGrid grid;
    private final double seconds;
    private final int rowHeight;
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
        for (int i = 0; i < cpus.all().size(); i++) {
            rowOfCpu.put(cpus.all().get(i).cpu(), i);
        }
    }

    /**
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
        svg.draw(title, subtitle, allowed);
        return svg.out.toString();
    }

    private void draw(String title, String subtitle, CpuSet allowed) {
        int plotHeight = rowHeight * cpus.all().size();
        int legendHeight = LEGEND_LINE * (coloured + 4);
        int height = TOP + Math.max(plotHeight + 60, legendHeight);
        int width = LEFT + PLOT_WIDTH + LEGEND_WIDTH;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"DejaVu Sans, Helvetica, sans-serif\" font-size=\"12\" fill=\"#222\">",
                width, height, width, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", width, height);
        add("<text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\">%s</text>", escape(title));
        add("<text x=\"16\" y=\"46\" fill=\"#555\">%s</text>", escape(subtitle));
        background(allowed);
        timeMarks(plotHeight);
        long cpuNanos = threads.stream().mapToLong(ThreadSummary::cpuNanos).sum();
        for (int rank = threads.size() - 1; rank >= 0; rank--) {
            if (rank < coloured && threads.get(rank).cpuNanos() >= SMALLEST_SHARE * cpuNanos) {
                moves(rank);
            }
        }
        bars();
        legend();
        add("</svg>");
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
            add(
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>",
                    LEFT, y(i), PLOT_WIDTH, rowHeight, fill);
            if (i % everyNth == 0) {
                add(
                        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" font-size=\"%d\" fill=\"%s\">CPU %d</text>",
                        LEFT - 6,
                        y(i) + Math.max(rowHeight, 12) / 2.0 + 4,
                        Math.min(12, Math.max(9, rowHeight - 2)),
                        may ? "#222" : "#999",
                        row.cpu());
            }
            boolean last = i + 1 == rows.size() || rows.get(i + 1).node() != row.node();
            if (last) {
                int bottom = y(i + 1);
                add(
                        "<line x1=\"52\" y1=\"%d\" x2=\"52\" y2=\"%d\" stroke=\"#888\" stroke-width=\"2\"/>",
                        y(nodeStart) + 2, bottom - 2);
                add(
                        "<text x=\"16\" y=\"%.1f\" fill=\"#555\" font-size=\"11\">node</text>",
                        (y(nodeStart) + bottom) / 2.0 - 2);
                add(
                        "<text x=\"16\" y=\"%.1f\" fill=\"#555\" font-weight=\"bold\">%d</text>",
                        (y(nodeStart) + bottom) / 2.0 + 12, row.node());
                add(
                        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#999\"/>",
                        LEFT, bottom, LEFT + PLOT_WIDTH, bottom);
                nodeStart = i + 1;
                band++;
            } else if (rowHeight >= 8) {
                add(
                        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#e2e6ec\"/>",
                        LEFT, y(i + 1), LEFT + PLOT_WIDTH, y(i + 1));
            }
        }
    }

    private void timeMarks(int plotHeight) {
        double step = TimeAxis.stepSeconds(seconds, 10);
        for (double mark : TimeAxis.marks(seconds, 10)) {
            double x = LEFT + (seconds <= 0 ? 0 : mark / seconds * PLOT_WIDTH);
            add(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#d5d9e0\"/>",
                    x, TOP, x, TOP + plotHeight + 5);
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x, TOP + plotHeight + 20, TimeAxis.label(mark, step));
        }
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">time since the first sample</text>",
                LEFT + PLOT_WIDTH / 2, TOP + plotHeight + 40);
    }

    /** In each step, the threads that ran on a CPU share its row by the time that they ran there. */
    private void bars() {
        StringBuilder[] paths = new StringBuilder[coloured + 1];
        for (int cpuRow = 0; cpuRow < cpus.all().size(); cpuRow++) {
            int cpu = cpus.all().get(cpuRow).cpu();
            SortedMap<Integer, int[]> open = new TreeMap<>();
            int openSince = 0;
            for (int step = 0; step <= grid.steps(); step++) {
                SortedMap<Integer, int[]> parts = step < grid.steps() ? parts(cpu, step) : new TreeMap<>();
                if (step == grid.steps() || !same(open, parts)) {
                    close(open, openSince, step, cpuRow, paths);
                    open = parts;
                    openSince = step;
                }
            }
        }
        for (int colour = 0; colour < paths.length; colour++) {
            if (paths[colour] != null) {
                add(
                        "<path fill=\"%s\" d=\"%s\"/>",
                        colour < coloured ? Palette.thread(colour) : Palette.OTHERS, paths[colour]);
            }
        }
    }

    /** From and to, in parts of the row's height, by colour. */
    private SortedMap<Integer, int[]> parts(int cpu, int step) {
        SortedMap<Integer, Long> nanos = new TreeMap<>();
        long all = 0;
        for (int rank = 0; rank < threads.size(); rank++) {
            long ran = grid.threads().get(rank).steps().get(step).getOrDefault(cpu, 0L);
            if (ran > 0) {
                nanos.merge(Math.min(rank, coloured), ran, Long::sum);
                all += ran;
            }
        }
        SortedMap<Integer, int[]> parts = new TreeMap<>();
        long whole = Math.max(all, grid.stepNanos());
        long before = 0;
        for (Map.Entry<Integer, Long> one : nanos.entrySet()) {
            int from = (int) Math.round((double) PARTS * before / whole);
            before += one.getValue();
            int to = Math.max(from + 1, (int) Math.round((double) PARTS * before / whole));
            parts.put(one.getKey(), new int[] {from, Math.min(to, PARTS)});
        }
        return parts;
    }

    private static boolean same(SortedMap<Integer, int[]> one, SortedMap<Integer, int[]> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(part -> Arrays.equals(part.getValue(), other.get(part.getKey())));
    }

    private void close(SortedMap<Integer, int[]> open, int from, int to, int cpuRow, StringBuilder[] paths) {
        open.forEach((colour, part) -> {
            double scale = (rowHeight - (rowHeight >= 8 ? 2.0 : 0.5)) / PARTS;
            // The first thread at the bottom, as levels are drawn.
            double bottom = y(cpuRow + 1) - (rowHeight >= 8 ? 1 : 0.25);
            double top = bottom - part[1] * scale;
            if (paths[colour] == null) {
                paths[colour] = new StringBuilder();
            }
            paths[colour].append(String.format(
                    Locale.ROOT, "M%.1f %.1fH%.1fV%.1fH%.1fz", x(from), top, x(to), bottom - part[0] * scale, x(from)));
        });
    }

    /** Thin lines that join a thread's rows where it moved. */
    private void moves(int rank) {
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
                        x(step),
                        y(before) + rowHeight / 2.0,
                        y(row) + rowHeight / 2.0));
                lines++;
            }
            before = row;
        }
        if (lines > 0 && lines <= MAX_LINES / coloured) {
            add(
                    "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" opacity=\"0.55\" d=\"%s\"/>",
                    Palette.thread(rank), path);
        }
    }

    private void legend() {
        int x = LEFT + PLOT_WIDTH + 24;
        int y = TOP + 10;
        add("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">thread</text>", x + 18, y);
        add("<text x=\"%d\" y=\"%d\" font-weight=\"bold\" text-anchor=\"end\">CPU time</text>", x + 228, y);
        add("<text x=\"%d\" y=\"%d\" font-weight=\"bold\" text-anchor=\"end\">moves</text>", x + 286, y);
        int shown = coloured;
        for (int rank = 0; rank < shown; rank++) {
            ThreadSummary thread = threads.get(rank);
            legendLine(
                    x,
                    y += LEGEND_LINE,
                    Palette.thread(rank),
                    escape(thread.track().name()) + " <tspan fill=\"#999\">"
                            + thread.track().tid() + "</tspan>",
                    thread.cpuNanos(),
                    thread.moves().betweenCpus());
        }
        if (threads.size() > shown) {
            List<ThreadSummary> others = threads.subList(shown, threads.size());
            legendLine(
                    x,
                    y + LEGEND_LINE,
                    Palette.OTHERS,
                    others.size() == 1 ? "1 other" : others.size() + " others",
                    others.stream().mapToLong(ThreadSummary::cpuNanos).sum(),
                    others.stream().mapToLong(one -> one.moves().betweenCpus()).sum());
        }
    }

    private void legendLine(int x, int y, String colour, String name, long cpuNanos, long moves) {
        add("<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, y - 10, colour);
        add("<text x=\"%d\" y=\"%d\">%s</text>", x + 18, y, name);
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.2f s</text>", x + 228, y, cpuNanos / 1e9);
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>", x + 286, y, moves);
    }

    private double x(int step) {
        return LEFT + (double) PLOT_WIDTH * step / grid.steps();
    }

    private int y(int row) {
        return TOP + row * rowHeight;
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** Text as XML takes it; a thread may be named by any bytes. */
    static String escape(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(isXml(c) ? c : '\uFFFD');
            }
        });
        return safe.toString();
    }

    private static boolean isXml(int c) {
        return Character.isDefined(c) && !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE;
    }
}
