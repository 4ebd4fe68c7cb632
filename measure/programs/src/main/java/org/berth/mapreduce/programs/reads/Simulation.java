package org.berth.mapreduce.programs.reads;

/**
 * What is simulated.
 *
 * @param seed of all draws
 * @param length bases of a read
 * @param insert mean bases of the fragment of a pair; 0 for single reads
 * @param errors mean rate of wrong bases
 * @param exact part of the fragments that are exact copies of others
 * @param near part of the fragments that are copies with mismatches
 * @param mismatches maximum number of mismatches of such a copy
 */
record Simulation(long seed, int length, int insert, double errors, double exact, double near, int mismatches) {
    boolean paired() {
        return insert > 0;
    }

    int reads() {
        return paired() ? 2 : 1;
    }
}
