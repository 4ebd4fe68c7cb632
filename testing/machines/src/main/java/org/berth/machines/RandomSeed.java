package org.berth.machines;

/** Seeds of random tests: a fresh one in each run, printed, and given again by -Dberth.seed=…. */
public final class RandomSeed {
    private RandomSeed() {}

    /** The seed of one test, printed. */
    public static long next(String what) {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        System.out.println("seed of " + what + ": -Dberth.seed=" + seed);
        return seed;
    }
}
