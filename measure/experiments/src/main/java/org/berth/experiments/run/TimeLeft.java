package org.berth.experiments.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time that the runs to come will take: for each of them the mean of what the runs of its arm took so far, with the pause and the
 * commands around each. A warm-up counts only until its arm has another run, since it may be longer than all others. No clock: the caller
 * measures.
 *
 * <p><b>Thread safety</b>: one thread.
 */
public final class TimeLeft {
    private static final double NANOS = 1e9;

    private final Map<String, Mean> warmUps = new HashMap<>();
    private final Map<String, Mean> runs = new HashMap<>();

    /** Seconds and how many there are. */
    private record Mean(double sum, int count) {
        Mean and(Mean other) {
            return new Mean(sum + other.sum, count + other.count);
        }

        double seconds() {
            return sum / count;
        }
    }

    /**
     * Counts a run that is over.
     *
     * @param arm its name
     * @param duration from the end of the run before to its own end, clean-up included
     */
    public void add(String arm, boolean warmUp, Duration duration) {
        (warmUp ? warmUps : runs).merge(arm, new Mean(duration.toNanos() / NANOS, 1), Mean::and);
    }

    /**
     * How long these runs will take; zero before the first run.
     *
     * @param arms the name of the arm of each run to come; one that has not run counts like the mean of the others
     */
    public Duration of(List<String> arms) {
        double seconds = arms.stream().mapToDouble(this::seconds).sum();
        return Duration.ofNanos(Math.round(seconds * NANOS));
    }

    /** Mean duration of a run of this arm in seconds. */
    public double seconds(String arm) {
        Map<String, Mean> all = new HashMap<>(warmUps);
        all.putAll(runs);
        Mean own = all.get(arm);
        return own == null
                ? all.values().stream().mapToDouble(Mean::seconds).average().orElse(0)
                : own.seconds();
    }
}
