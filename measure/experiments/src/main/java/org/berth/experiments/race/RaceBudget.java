package org.berth.experiments.race;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The maximum of runs or time for a race. Without either, the race follows a plan of {@link RacePlan#USUAL_SCALE}.
 *
 * @param runs in all, the warm-up included
 * @param time of all runs together; what is left after the warm-up is filled by the mean time of its runs
 */
public record RaceBudget(OptionalInt runs, Optional<Duration> time) {
    /** The plan that fits; empty when even the shortest one takes more. Pure. */
    public Optional<RacePlan> plan(int candidates, int runsBefore, double secondsOfRun) {
        if (runs.isEmpty() && time.isEmpty()) {
            return Optional.of(RacePlan.of(candidates, RacePlan.USUAL_SCALE));
        }
        long most = runs.isPresent() ? runs.getAsInt() - (long) runsBefore : Integer.MAX_VALUE;
        if (time.isPresent()) {
            most = Math.min(most, (long) (time.get().toNanos() / 1e9 / secondsOfRun) - runsBefore);
        }
        return RacePlan.within(candidates, (int) Math.max(0, Math.min(most, Integer.MAX_VALUE)));
    }
}
