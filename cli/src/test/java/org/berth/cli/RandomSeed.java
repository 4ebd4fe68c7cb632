package org.berth.cli;

/** Seeds of random tests: a fresh one in each run, printed, and given again by -Dberth.seed=…. */
final class RandomSeed {
    private RandomSeed() {}

    static long next(String what) {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        System.out.println("seed of " + what + ": -Dberth.seed=" + seed);
        return seed;
    }
}
