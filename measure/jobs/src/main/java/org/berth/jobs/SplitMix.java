package org.berth.jobs;

/**
 * Numbers from a seed and an index (SplitMix64; Steele, Lea, Flood: Fast Splittable Pseudorandom Generators): the same
 * on every machine, with no state, hence in any order and by any thread.
 */
public final class SplitMix {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private SplitMix() {}

    public static long at(long seed, long index) {
        return mix(seed + (index + 1) * GAMMA);
    }

    public static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
