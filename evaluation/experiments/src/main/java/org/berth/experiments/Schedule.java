package org.berth.experiments;

import java.util.ArrayList;
import java.util.List;

/**
 * The order of runs. Machines drift: they get warm, neighbours come and go, caches of files fill. So the arms are
 * interleaved, forward in odd rounds and backward in even ones; after every two rounds each arm has had the same mean
 * position, and a steady drift hits all of them alike. Runs of one round are compared with each other only.
 *
 * @param runs in the order of time
 * @param arms how many there are
 * @param rounds how many there are besides the warm-up
 */
public record Schedule(List<ScheduledRun> runs, int arms, int rounds) {
    public Schedule {
        runs = List.copyOf(runs);
    }

    /** Requires at least one arm and one round. The warm-up runs each arm once. */
    public static Schedule interleaved(int arms, int rounds, boolean warmUp) {
        if (arms < 1 || rounds < 1) {
            throw new IllegalArgumentException(
                    "a schedule needs at least one arm and one round, not " + arms + " and " + rounds);
        }
        List<ScheduledRun> runs = new ArrayList<>();
        for (int round = warmUp ? 0 : 1; round <= rounds; round++) {
            boolean forward = round == 0 || round % 2 == 1;
            for (int i = 0; i < arms; i++) {
                runs.add(new ScheduledRun(runs.size() + 1, round, forward ? i : arms - 1 - i));
            }
        }
        return new Schedule(runs, arms, rounds);
    }

    /** Whether each arm's mean position is the same: with an even number of rounds, or a single arm. */
    public boolean balanced() {
        return rounds % 2 == 0 || arms == 1;
    }
}
