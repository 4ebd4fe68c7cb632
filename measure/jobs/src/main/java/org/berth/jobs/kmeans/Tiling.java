package org.berth.jobs.kmeans;

import org.berth.jobkit.JobException;
import org.berth.jobs.SplitMix;

/**
 * Repeats the rows of a table to a useful size. The first copy is exact; in the later ones every number is moved by at
 * most 1 % of its column's range, so that the copies are different points around the same clusters. The jitter comes
 * from a hash of (copy, row, column): the same on every machine and in any order of computing.
 */
final class Tiling {
    private static final float JITTER = 0.01f;

    private Tiling() {}

    /** Rows of the tiled table. */
    static long rows(NumberTable table, int tile) {
        return (long) table.rows() * tile;
    }

    /**
     * The part of the tiled table that belongs to one slice; slices are contiguous and differ by at most one row.
     *
     * @throws JobException with exit code 1 when the slice would be larger than a Java array
     */
    static NumberTable slice(NumberTable table, int tile, int slice, int slices) {
        long rows = rows(table, tile);
        long from = rows * slice / slices;
        long to = rows * (slice + 1) / slices;
        int columns = table.columns();
        if ((to - from) * columns > Integer.MAX_VALUE - 8) {
            throw JobException.failure("a slice of " + (to - from) + " rows is too large; use more --slices");
        }
        float[] reach = reach(table);
        float[] values = new float[(int) (to - from) * columns];
        int at = 0;
        for (long row = from; row < to; row++) {
            int source = (int) (row % table.rows());
            boolean exact = row < table.rows();
            for (int column = 0; column < columns; column++) {
                float value = table.value(source, column);
                values[at++] = exact ? value : value + reach[column] * unit(row * columns + column);
            }
        }
        return new NumberTable(values, columns);
    }

    /** How far a number of each column may move. */
    private static float[] reach(NumberTable table) {
        float[] reach = new float[table.columns()];
        for (int column = 0; column < reach.length; column++) {
            float low = table.value(0, column);
            float high = low;
            for (int row = 1; row < table.rows(); row++) {
                low = Math.min(low, table.value(row, column));
                high = Math.max(high, table.value(row, column));
            }
            reach[column] = JITTER * (high - low);
        }
        return reach;
    }

    /** A number from -1 to 1. */
    private static float unit(long index) {
        return (int) (SplitMix.at(0, index) >>> 32) * 0x1p-31f;
    }
}
