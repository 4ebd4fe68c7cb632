package org.berth.jobs.kmeans;

import java.io.Serializable;

/**
 * What one slice says about the next centres: per cluster the number and the sum of its rows, and the cost of the
 * slice, all in double precision. Filled by one task, then only read and merged.
 */
final class PartialSums implements Serializable {
    private final int columns;
    private final long[] counts;
    private final double[] sums;
    private double cost;

    PartialSums(int clusters, int columns) {
        this.columns = columns;
        this.counts = new long[clusters];
        this.sums = new double[clusters * columns];
    }

    /** Assigns every row to its nearest centre (the first of equally near ones). */
    static PartialSums assign(NumberTable rows, NumberTable centres) {
        PartialSums partial = new PartialSums(centres.rows(), rows.columns());
        for (int row = 0; row < rows.rows(); row++) {
            int nearest = 0;
            float least = Float.POSITIVE_INFINITY;
            for (int centre = 0; centre < centres.rows(); centre++) {
                float distance = squaredDistance(rows, row, centres, centre);
                if (distance < least) {
                    least = distance;
                    nearest = centre;
                }
            }
            partial.add(rows, row, nearest, least);
        }
        return partial;
    }

    /** Four sums side by side: the order of additions is fixed, yet the processor need not wait for each one. */
    private static float squaredDistance(NumberTable rows, int row, NumberTable centres, int centre) {
        float[] a = rows.values();
        float[] b = centres.values();
        int columns = rows.columns();
        int atA = row * columns;
        int atB = centre * columns;
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        int column = 0;
        for (; column + 3 < columns; column += 4) {
            float d0 = a[atA + column] - b[atB + column];
            float d1 = a[atA + column + 1] - b[atB + column + 1];
            float d2 = a[atA + column + 2] - b[atB + column + 2];
            float d3 = a[atA + column + 3] - b[atB + column + 3];
            sum0 += d0 * d0;
            sum1 += d1 * d1;
            sum2 += d2 * d2;
            sum3 += d3 * d3;
        }
        for (; column < columns; column++) {
            float d = a[atA + column] - b[atB + column];
            sum0 += d * d;
        }
        return sum0 + sum1 + sum2 + sum3;
    }

    private void add(NumberTable rows, int row, int cluster, float distance) {
        counts[cluster]++;
        cost += distance;
        for (int column = 0; column < columns; column++) {
            sums[cluster * columns + column] += rows.value(row, column);
        }
    }

    /** Adds the other's sums to this one's. Floating point: the order of merging decides the last digits. */
    void merge(PartialSums other) {
        cost += other.cost;
        for (int cluster = 0; cluster < counts.length; cluster++) {
            counts[cluster] += other.counts[cluster];
        }
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.sums[i];
        }
    }

    /** The mean of each cluster; a cluster without rows keeps its centre. */
    NumberTable centres(NumberTable before) {
        float[] centres = before.values().clone();
        for (int i = 0; i < centres.length; i++) {
            long count = counts[i / columns];
            if (count > 0) {
                centres[i] = (float) (sums[i] / count);
            }
        }
        return new NumberTable(centres, columns);
    }

    /** Sum of the squared distances of all rows to the centre that each was assigned to. */
    double cost() {
        return cost;
    }
}
