package org.berth.experiments.result;

import java.util.List;
import java.util.Optional;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.internal.threads.ResidencyShare;

/**
 * The results of one arm, without its warm-up. All numbers but the counts of bad runs are of completed runs.
 *
 * @param arm its name
 * @param completed how many runs did
 * @param failed how many ended with another exit code than 0
 * @param timedOut how many took too long
 * @param badOfBaseline how many runs of the baseline failed or took too long
 * @param wallSeconds empty when no run completed
 * @param wallRatio to the baseline; empty for the baseline itself and without a common round
 * @param metrics what the work printed, in the order of the experiment; the first one is what the verdict is about
 * @param migrations of all threads that were sampled
 * @param workerMigrations of the threads that do the work
 * @param residency over all completed runs together
 * @param usage what the runs used in addition to time
 */
public record ArmSummary(
        String arm,
        int completed,
        int failed,
        int timedOut,
        int badOfBaseline,
        Optional<Spread> wallSeconds,
        Optional<Ratio> wallRatio,
        List<ArmMetric> metrics,
        ArmMigrations migrations,
        ArmMigrations workerMigrations,
        ResidencyShare residency,
        ArmUsage usage) {
    public ArmSummary {
        metrics = List.copyOf(metrics);
    }

    /** The first number that the work printed; empty when no run did. */
    public Optional<Spread> metric() {
        return metrics.stream().findFirst().flatMap(ArmMetric::values);
    }

    /** The ratio of that number to the baseline's. */
    public Optional<Ratio> metricRatio() {
        return metrics.stream().findFirst().flatMap(ArmMetric::ratio);
    }

    /** Whether the verdict is about the first number that the work printed; otherwise it is about the wall time. */
    public boolean isJudgedByMetric() {
        return metrics.stream().findFirst().filter(ArmMetric::isCompared).isPresent();
    }

    /** The ratio that the verdict is about: that of the first metric if the work printed it, else of the wall time. */
    public Optional<Ratio> ratio() {
        return isJudgedByMetric() ? metricRatio() : wallRatio;
    }

    /** The numbers behind {@link #ratio}. */
    public Optional<Spread> measure() {
        return metric().isPresent() ? metric() : wallSeconds;
    }

    /** How many runs failed or took too long. */
    public int bad() {
        return failed + timedOut;
    }

    /**
     * Judges {@link #ratio}. An arm of which more runs failed than of the baseline is never better, and never as good. Pure.
     *
     * @param margin relative difference that does not matter, above 0: {@link Verdict#MARGIN} for 2 %
     */
    public Verdict verdict(double margin) {
        return isJudgedByMetric() ? verdict(metrics.get(0), margin) : judged(Verdict.of(wallRatio, margin), wallRatio);
    }

    /** Judges one of {@link #metrics} in the same way. Pure. */
    public Verdict verdict(ArmMetric metric, double margin) {
        return judged(metric.verdict(margin), metric.ratio());
    }

    private Verdict judged(Verdict ofCompleted, Optional<Ratio> ratio) {
        return bad() > badOfBaseline ? ofCompleted.ofOneThatFailsMoreOften(ratio) : ofCompleted;
    }
}
