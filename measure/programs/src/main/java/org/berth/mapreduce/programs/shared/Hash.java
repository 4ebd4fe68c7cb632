package org.berth.mapreduce.programs.shared;

/** SplitMix64 (Steele, Lea, Flood 2014): numbers that look random and are equal on every machine. Pure functions, for any thread. */
public final class Hash {
    private Hash() {}

    /** A hash of both numbers. */
    public static long mix(long state, long number) {
        long mixed = state + number + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
