package org.berth.mapreduce.programs.kmeans;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * A sum of doubles without rounding, as a few doubles whose digits do not overlap (J. R. Shewchuk, "Adaptive precision floating-point
 * arithmetic", 1997). Only {@link #value} rounds, so it does not depend on the order of additions. For one thread.
 */
final class ExactSum {
    private double[] parts = new double[2];
    private int count;

    void clear() {
        count = 0;
    }

    /** Adds a finite number. */
    void add(double number) {
        double rest = number;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            double part = parts[i];
            double sum = rest + part;
            // What the addition lost, exactly (D. E. Knuth's two-sum: no comparison of the magnitudes).
            double ofPart = sum - rest;
            double lost = (rest - (sum - ofPart)) + (part - ofPart);
            if (lost != 0) {
                parts[kept] = lost;
                kept++;
            }
            rest = sum;
        }
        if (kept == parts.length) {
            parts = Arrays.copyOf(parts, 2 * kept);
        }
        count = kept;
        if (rest != 0) {
            parts[kept] = rest;
            count++;
        }
    }

    void add(ExactSum other) {
        for (int i = 0; i < other.count; i++) {
            add(other.parts[i]);
        }
    }

    /** The double that is nearest to the sum. */
    double value() {
        if (count < 2) {
            return count == 0 ? 0 : parts[0];
        }
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < count; i++) {
            sum = sum.add(new BigDecimal(parts[i]));
        }
        return sum.doubleValue();
    }

    void write(DataOutput out) throws IOException {
        out.writeByte(count);
        for (int i = 0; i < count; i++) {
            out.writeDouble(parts[i]);
        }
    }

    void readFields(DataInput in) throws IOException {
        count = in.readByte();
        if (count > parts.length) {
            parts = new double[count];
        }
        for (int i = 0; i < count; i++) {
            parts[i] = in.readDouble();
        }
    }
}
