package org.berth.experiments.result;

import java.util.List;
import java.util.Optional;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;
import org.berth.experiments.statistics.Ratio;

/**
 * The ratio of an arm by the rounds so far, for a user who watches the progress. It is no verdict, since the number of rounds is fixed. The
 * interval is that of a comparison which ends after these rounds.
 *
 * @param byMetric whether it is about the first number that the work prints, and not about the wall time
 * @param ratio to the baseline; without an interval below {@link Ratio#MIN_PAIRS} pairs
 */
public record RunningEstimate(String arm, boolean byMetric, Ratio ratio) {
    /**
     * An estimate for each arm but the baseline, as far as it has one, in their order. Pure.
     *
     * @param trials all that ended so far
     * @param rule that may end the experiment early; the intervals are then those of its last look
     */
    public static List<RunningEstimate> of(Experiment experiment, List<Trial> trials, Optional<StoppingRule> rule) {
        double error = rule.map(StoppingRule::errorOfLastLook).orElseGet(() -> Summary.errorOfArm(experiment));
        // Numbers after the first one cost time and are not shown.
        Experiment shown =
                experiment.withMetrics(experiment.metrics().stream().limit(1).toList());
        Summary.Rates rates = new Summary.Rates(error, 2 * Summary.ERROR);
        Summary summary = Summary.of(shown, trials, arm -> Optional.of(new Summary.Look(Integer.MAX_VALUE, rates)));
        return summary.arms().stream()
                .skip(1)
                .flatMap(arm -> arm.ratio().stream()
                        .map(ratio -> new RunningEstimate(arm.arm(), arm.isJudgedByMetric(), ratio)))
                .toList();
    }
}
