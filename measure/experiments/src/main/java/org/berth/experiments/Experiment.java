package org.berth.experiments;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.berth.observation.internal.threads.ThreadNamePattern;

/**
 * What is compared and how. Immutable; the {@code with...} methods give a changed copy.
 *
 * @param name for headings and files
 * @param arms the first one is the baseline of all ratios
 * @param rounds how often each arm runs, warm-ups not counted
 * @param warmUps how often each arm runs before round 1, only to fill the caches of files
 * @param timeout after which a run is ended and counts as timed out
 * @param samplingInterval time between two samples of the threads of a run
 * @param threads the processes whose threads are sampled
 * @param metrics numbers that the work prints, compared in addition to the wall time; the first one is what the verdict is about
 * @param workers names of the threads that do the work, whose migrations are also counted apart; empty: all threads
 * @param conditions what happens around each run
 * @param seed of the order in which the arms run
 * @param claims what its verdicts claim
 */
public record Experiment(
        String name,
        List<Arm> arms,
        int rounds,
        int warmUps,
        Duration timeout,
        Duration samplingInterval,
        ThreadScope threads,
        List<Metric> metrics,
        List<ThreadNamePattern> workers,
        Conditions conditions,
        long seed,
        Claims claims) {

    /** The processes below the started command whose threads are sampled. */
    public enum ThreadScope {
        /** JVMs only: neither launchers nor shells. */
        JVMS,
        /** Every process. */
        ALL
    }

    /** Requires one arm, one round and positive times; names of arms, and those of metrics, are unique. */
    public Experiment {
        arms = List.copyOf(arms);
        workers = List.copyOf(workers);
        metrics = List.copyOf(metrics);
        if (metrics.stream().map(Metric::name).distinct().count() < metrics.size()) {
            throw new IllegalArgumentException("two metrics have one name");
        }
        Set<String> names = new HashSet<>();
        for (Arm arm : arms) {
            if (!names.add(arm.name())) {
                throw new IllegalArgumentException("two arms are called " + arm.name());
            }
        }
        if (arms.isEmpty() || rounds < 1 || warmUps < 0) {
            throw new IllegalArgumentException(
                    "an experiment needs at least one arm and one round, and no negative number of warm-ups");
        }
        if (!isPositive(timeout) || !isPositive(samplingInterval)) {
            throw new IllegalArgumentException("timeout and sampling interval must be longer than zero, not " + timeout
                    + " and " + samplingInterval);
        }
    }

    /** Four rounds after a warm-up, at most ten minutes per run, JVM threads sampled every 100 ms, no metric, in an order drawn anew. */
    public static Experiment of(String name, List<Arm> arms) {
        return new Experiment(
                name,
                arms,
                4,
                1,
                Duration.ofMinutes(10),
                Duration.ofMillis(100),
                ThreadScope.JVMS,
                List.of(),
                List.of(),
                Conditions.PLAIN,
                ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE),
                Claims.USUAL);
    }

    /** Other arms; the first one is the baseline. */
    public Experiment withArms(List<Arm> newArms) {
        return new Experiment(
                name,
                newArms,
                rounds,
                warmUps,
                timeout,
                samplingInterval,
                threads,
                metrics,
                workers,
                conditions,
                seed,
                claims);
    }

    /** How often each arm runs; five or more give an interval. */
    public Experiment withRounds(int newRounds) {
        return new Experiment(
                name,
                arms,
                newRounds,
                warmUps,
                timeout,
                samplingInterval,
                threads,
                metrics,
                workers,
                conditions,
                seed,
                claims);
    }

    /** How often each arm first runs as a warm-up. */
    public Experiment withWarmUps(int newWarmUps) {
        return new Experiment(
                name,
                arms,
                rounds,
                newWarmUps,
                timeout,
                samplingInterval,
                threads,
                metrics,
                workers,
                conditions,
                seed,
                claims);
    }

    /** The time after which a run is ended. */
    public Experiment withTimeout(Duration newTimeout) {
        return new Experiment(
                name,
                arms,
                rounds,
                warmUps,
                newTimeout,
                samplingInterval,
                threads,
                metrics,
                workers,
                conditions,
                seed,
                claims);
    }

    /** Time between two samples; 50 to 100 ms disturb a machine with two CPUs by less than 1 %. */
    public Experiment withSamplingInterval(Duration newInterval) {
        return new Experiment(
                name, arms, rounds, warmUps, timeout, newInterval, threads, metrics, workers, conditions, seed, claims);
    }

    /** The processes whose threads are sampled. */
    public Experiment withThreads(ThreadScope newThreads) {
        return new Experiment(
                name,
                arms,
                rounds,
                warmUps,
                timeout,
                samplingInterval,
                newThreads,
                metrics,
                workers,
                conditions,
                seed,
                claims);
    }

    /** The only number that the work prints. */
    public Experiment withMetric(Metric metric) {
        return withMetrics(List.of(metric));
    }

    /** Numbers that the work prints, of different names. */
    public Experiment withMetrics(List<Metric> newMetrics) {
        return new Experiment(
                name,
                arms,
                rounds,
                warmUps,
                timeout,
                samplingInterval,
                threads,
                newMetrics,
                workers,
                conditions,
                seed,
                claims);
    }

    /** The threads that do the work. */
    public Experiment withWorkers(List<ThreadNamePattern> newWorkers) {
        return new Experiment(
                name,
                arms,
                rounds,
                warmUps,
                timeout,
                samplingInterval,
                threads,
                metrics,
                newWorkers,
                conditions,
                seed,
                claims);
    }

    /** What happens around each run. */
    public Experiment withConditions(Conditions newConditions) {
        return new Experiment(
                name,
                arms,
                rounds,
                warmUps,
                timeout,
                samplingInterval,
                threads,
                metrics,
                workers,
                newConditions,
                seed,
                claims);
    }

    /** The same order as another experiment with that seed, and as many arms. */
    public Experiment withSeed(long newSeed) {
        return new Experiment(
                name,
                arms,
                rounds,
                warmUps,
                timeout,
                samplingInterval,
                threads,
                metrics,
                workers,
                conditions,
                newSeed,
                claims);
    }

    /** What its verdicts claim. */
    public Experiment withClaims(Claims newClaims) {
        return new Experiment(
                name,
                arms,
                rounds,
                warmUps,
                timeout,
                samplingInterval,
                threads,
                metrics,
                workers,
                conditions,
                seed,
                newClaims);
    }

    /** The order in which the arms run. */
    public Schedule schedule() {
        return Schedule.drawn(arms.size(), rounds, warmUps, seed);
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isZero() && !duration.isNegative();
    }
}
