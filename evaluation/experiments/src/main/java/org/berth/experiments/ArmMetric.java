package org.berth.experiments;

import java.util.Optional;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;

/**
 * The results of one arm for one number that the work prints.
 *
 * @param metric which one
 * @param values of the completed runs that printed it; empty when none did
 * @param ratio to the baseline; empty for the baseline itself and without a common round
 */
public record ArmMetric(Metric metric, Optional<Spread> values, Optional<Ratio> ratio) {
    /**
     * Judges the ratio. Pure.
     *
     * @param margin relative difference that does not matter, above 0: {@link Verdict#MARGIN} for 2 %
     */
    public Verdict verdict(double margin) {
        return Verdict.of(ratio, margin, metric.better());
    }
}
