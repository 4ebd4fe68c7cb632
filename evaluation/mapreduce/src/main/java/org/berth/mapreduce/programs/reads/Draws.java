package org.berth.mapreduce.programs.reads;

/**
 * Random numbers that are equal on every JVM: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014). Numbers for one thing begin at its number, so that each can be drawn again without those before it.
 */
final class Draws {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1p-53;
    private static final int DOUBLE_SHIFT = 11;

    private long state;

    /** Draws for a purpose of a thing. */
    Draws(long seed, long thing, int purpose) {
        state = mix(mix(seed + GOLDEN_GAMMA * purpose) ^ mix(thing + GOLDEN_GAMMA));
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** From 0 to a bound, without it; the error of 2^-63 times the bound is below anything that shows. */
    long below(long bound) {
        return Math.multiplyHigh(nextLong() >>> 1, bound << 1);
    }

    /** From 0 to 1, without it. */
    double unit() {
        return (nextLong() >>> DOUBLE_SHIFT) * UNIT;
    }
}
