package org.berth.experiments;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The order of runs. Machines drift: they get warm, neighbours come and go, caches of files fill. So runs of one round
 * are compared with each other only, and in each round the arms run in an order of its own that is drawn at random: no
 * neighbour that comes at intervals can meet one arm more often than another. Simulated with other work that comes once
 * a minute for 20 seconds, equal arms of 15 seconds differed "significantly" in 59 to 82 of 100 comparisons when they
 * ran forward and backward in turn, and in 4 to 5 when the order was drawn.
 *
 * @param runs in the order of time
 * @param arms how many there are
 * @param rounds how many there are besides the warm-ups
 */
public record Schedule(List<ScheduledRun> runs, int arms, int rounds) {
    /** Spreads seeds that lie close together, whose first numbers would be alike. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    public Schedule {
        runs = List.copyOf(runs);
    }

    /**
     * Requires at least one arm and one round. Each warm-up runs each arm once, in their order. The same seed gives the same order
     * everywhere, also of the first rounds when there are more.
     */
    public static Schedule drawn(int arms, int rounds, int warmUps, long seed) {
        if (arms < 1 || rounds < 1) {
            throw new IllegalArgumentException(
                    "a schedule needs at least one arm and one round, not " + arms + " and " + rounds);
        }
        // Its numbers are part of the JDK's contract.
        Random random = new Random(seed * SPREAD);
        List<Integer> order = new ArrayList<>(IntStream.range(0, arms).boxed().toList());
        List<ScheduledRun> runs = new ArrayList<>();
        for (int warmUp = 0; warmUp < warmUps; warmUp++) {
            add(runs, 0, order);
        }
        for (int round = 1; round <= rounds; round++) {
            Collections.shuffle(order, random);
            add(runs, round, order);
        }
        return new Schedule(runs, arms, rounds);
    }

    private static void add(List<ScheduledRun> runs, int round, List<Integer> order) {
        order.forEach(arm -> runs.add(new ScheduledRun(runs.size() + 1, round, arm)));
    }
}
