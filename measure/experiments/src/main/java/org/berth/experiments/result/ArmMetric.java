package org.berth.experiments.result;

import java.util.Optional;
import org.berth.experiments.Metric;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Difference;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;

/**
 * The results of one arm for one number that the work prints.
 *
 * @param metric which one
 * @param values of the completed runs that printed it; empty when none did
 * @param ratio to the baseline; empty for the baseline itself, without a common round, and with a difference
 * @param difference from the baseline, when the values are so near zero that a ratio means nothing; empty otherwise
 */
public record ArmMetric(
        Metric metric, Optional<Spread> values, Optional<Ratio> ratio, Optional<Difference> difference) {
    /** Values of one arm that differ by more than this are noise around zero, not a level. */
    private static final double LEVEL = 100;

    /** Values with a level. */
    public ArmMetric(Metric metric, Optional<Spread> values, Optional<Ratio> ratio) {
        this(metric, values, ratio, Optional.empty());
    }

    /** Whether the values are around zero. */
    static boolean isNearZero(Spread values) {
        return values.min() * LEVEL <= values.max();
    }

    /** Whether a round has a value both of this arm and of the baseline. */
    public boolean isCompared() {
        return ratio.isPresent() || difference.isPresent();
    }

    /** Judges the ratio of the runs that completed; {@link ArmSummary#verdict} knows of the others. */
    Verdict verdict(double margin) {
        return difference
                .map(near -> Verdict.ofLowLevel(near.pairs()))
                .orElseGet(() -> Verdict.of(ratio, margin, metric.better()));
    }
}
