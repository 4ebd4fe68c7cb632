package org.berth.experiments;

/**
 * One run in its order: an arm in a round.
 *
 * @param number 1 for the first run
 * @param round 0 for the warm-up, then 1, 2, ...
 * @param arm index of the arm in its experiment
 */
public record ScheduledRun(int number, int round, int arm) {
    /** Whether the result is thrown away. */
    public boolean warmUp() {
        return round == 0;
    }
}
