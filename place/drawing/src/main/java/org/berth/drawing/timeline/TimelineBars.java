package org.berth.drawing.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * The bars of a timeline as paths of SVG: in each step of time, the threads that ran on the CPUs of a row share
 * its height by the time that they ran there, the first colour at the bottom. Steps that look alike are one bar. Pure.
 *
 * @since 0.1.0
 */
public final class TimelineBars {
    /** A row's height is shared in this number of parts, or in parts of two pixels, which keeps the file small. */
    private static final int FEWEST_PARTS = 24;

    /**
     * The positions of the rows in the picture, in pixels.
     *
     * @param bar height of a bar that fills its row
     * @param air below that bar
     */
    public record Plot(int left, int top, int width, int rowHeight, double bar, double air) {
        double x(int step, int steps) {
            return left + (double) width * step / steps;
        }

        double bottom(int row) {
            return top + (row + 1) * rowHeight - air;
        }
    }

    private final TimelineGrid grid;
    private final int[] colours;
    private final List<StringBuilder> paths = new ArrayList<>();
    private final Plot plot;
    private final int parts;

    private TimelineBars(TimelineGrid grid, int[] colours, int count, Plot plot) {
        this.grid = grid;
        this.colours = colours;
        this.plot = plot;
        this.parts = Math.max(FEWEST_PARTS, (int) plot.bar() / 2);
        for (int colour = 0; colour < count; colour++) {
            paths.add(new StringBuilder());
        }
    }

    /**
     * The data of one path for each colour; empty for a colour without bars.
     *
     * @param colours a colour for each thread of the grid, from 0
     * @param count number of colours
     */
    public static List<String> paths(TimelineGrid grid, int[] colours, int count, List<CpuRows.Lane> rows, Plot plot) {
        TimelineBars bars = new TimelineBars(grid, colours, count, plot);
        for (int row = 0; row < rows.size(); row++) {
            bars.addRow(row, rows.get(row).cpus().toArray());
        }
        return bars.paths.stream().map(StringBuilder::toString).toList();
    }

    private void addRow(int row, int[] cpus) {
        int[] open = heights(cpus, 0);
        int since = 0;
        for (int step = 1; step <= grid.steps(); step++) {
            int[] now = step < grid.steps() ? heights(cpus, step) : new int[0];
            if (!Arrays.equals(open, now)) {
                addBars(row, since, step, open);
                open = now;
                since = step;
            }
        }
    }

    /** The height of each colour in parts; what ran at all is seen. */
    private int[] heights(int[] cpus, int step) {
        long[] nanos = new long[paths.size()];
        long all = 0;
        for (int thread = 0; thread < colours.length; thread++) {
            SortedMap<Integer, Long> ran = grid.threads().get(thread).steps().get(step);
            for (int cpu : cpus) {
                long here = ran.getOrDefault(cpu, 0L);
                nanos[colours[thread]] += here;
                all += here;
            }
        }
        int[] heights = new int[nanos.length];
        double whole = Math.max(all, grid.stepNanos() * cpus.length);
        long before = 0;
        int from = 0;
        for (int colour = 0; colour < nanos.length; colour++) {
            before += nanos[colour];
            // Sums are rounded, not the parts of them: together they must not leave the row.
            int to = (int) Math.round(parts * before / whole);
            heights[colour] = nanos[colour] > 0 ? Math.max(1, to - from) : 0;
            from = Math.min(parts, from + heights[colour]);
        }
        return heights;
    }

    private void addBars(int row, int fromStep, int toStep, int[] heights) {
        double bottom = plot.bottom(row);
        for (int colour = 0; colour < heights.length; colour++) {
            if (heights[colour] > 0) {
                double height = plot.bar() * heights[colour] / parts;
                String left = number(plot.x(fromStep, grid.steps()));
                String right = number(plot.x(toStep, grid.steps()));
                paths.get(colour)
                        .append(String.format(
                                Locale.ROOT, "M%s %.1fH%sV%.1fH%sz", left, bottom, right, bottom - height, left));
                bottom -= height;
            }
        }
    }

    private static String number(double x) {
        return x == Math.rint(x) ? Long.toString((long) x) : String.format(Locale.ROOT, "%.1f", x);
    }
}
