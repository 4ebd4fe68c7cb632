package org.berth.experiments;

import java.util.Optional;
import org.berth.observation.MigrationCount;
import org.berth.observation.ResidencyShare;

/**
 * What came out for one arm, warm-up left out. All numbers but the counts of bad runs are of completed runs.
 *
 * @param arm its name
 * @param completed how many runs did
 * @param failed how many ended with another exit code than 0
 * @param timedOut how many took too long
 * @param wallSeconds empty when no run completed
 * @param metric empty when no run printed it
 * @param wallRatio to the baseline; empty for the baseline itself and without a common round
 * @param metricRatio the same for the metric
 * @param betweenCpus moves of threads between logical CPUs, per run; empty when no thread was seen
 * @param betweenNodes moves between NUMA nodes that samples showed, per run
 * @param workersBetweenCpus as {@code betweenCpus}, of the threads that do the work
 * @param workersBetweenNodes as {@code betweenNodes}, of the threads that do the work
 * @param source where the moves between CPUs come from: the kernel only when it told in every run
 * @param residency over all completed runs together
 * @param usage what the runs took beside time
 */
public record ArmSummary(
        String arm,
        int completed,
        int failed,
        int timedOut,
        Optional<Spread> wallSeconds,
        Optional<Spread> metric,
        Optional<Ratio> wallRatio,
        Optional<Ratio> metricRatio,
        Optional<Spread> betweenCpus,
        Optional<Spread> betweenNodes,
        Optional<Spread> workersBetweenCpus,
        Optional<Spread> workersBetweenNodes,
        MigrationCount.Source source,
        ResidencyShare residency,
        ArmUsage usage) {

    /** What the verdict is about: the metric where the work printed it, else the wall time. Empty as those are. */
    public Optional<Ratio> ratio() {
        return metricRatio.isPresent() ? metricRatio : wallRatio;
    }

    /** The numbers behind {@link #ratio}. */
    public Optional<Spread> measure() {
        return metric.isPresent() ? metric : wallSeconds;
    }
}
