package org.berth.mapreduce.programs.reads;

import org.berth.mapreduce.programs.shared.Hash;

/**
 * Random numbers that are equal on every JVM. Those for one thing begin at its number, so that they can be drawn again without the ones
 * before. For one thread.
 */
final class Draws {
    private static final double UNIT = 0x1p-53;
    private static final int DOUBLE_SHIFT = 11;

    private final long start;
    private long count;

    /** Draws for a purpose of a thing. */
    Draws(long seed, long thing, int purpose) {
        start = Hash.mix(Hash.mix(seed, purpose), thing);
    }

    private long next() {
        return Hash.mix(start, count++);
    }

    /** From 0 to a bound, without it; all are equally probable but for 2^-63 times the bound. */
    long below(long bound) {
        return Math.multiplyHigh(next() >>> 1, bound << 1);
    }

    /** From 0 to 1, without it. */
    double unit() {
        return (next() >>> DOUBLE_SHIFT) * UNIT;
    }
}
