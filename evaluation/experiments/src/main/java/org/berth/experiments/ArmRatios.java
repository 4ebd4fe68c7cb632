package org.berth.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.berth.experiments.statistics.Ratio;

/**
 * Bound arms beside those that leave placement to the kernel ({@link Arm.Binding#UNBOUND}), and their ratios.
 *
 * @param unbound arms with a run that counts, in their order
 * @param bound the same
 * @param error that a statement about all of them may have
 */
record ArmRatios(
        List<String> unbound,
        List<String> bound,
        List<Trial> trials,
        Function<Trial, OptionalDouble> value,
        Optional<Metric> metric,
        Metric.Better better,
        double error,
        int minPairs) {
    /**
     * Empty unless there are arms of both kinds.
     *
     * @param metric what is compared; empty for the wall time
     */
    static Optional<ArmRatios> of(
            Experiment experiment, List<Trial> trials, Optional<Metric> metric, double error, int minPairs) {
        Function<Trial, OptionalDouble> value = metric.isPresent()
                ? trial -> trial.metric(metric.get().name())
                : trial -> OptionalDouble.of(trial.wallSeconds());
        Metric.Better better = metric.map(Metric::better).orElse(Metric.Better.LOWER);
        Set<String> ran = trials.stream().filter(Trial::counts).map(Trial::arm).collect(Collectors.toSet());
        List<String> unbound = new ArrayList<>();
        List<String> bound = new ArrayList<>();
        for (Arm arm : experiment.arms()) {
            if (ran.contains(arm.name()) && arm.binding() != Arm.Binding.UNKNOWN) {
                (arm.binding() == Arm.Binding.UNBOUND ? unbound : bound).add(arm.name());
            }
        }
        if (unbound.isEmpty() || bound.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ArmRatios(unbound, bound, trials, value, metric, better, error, minPairs));
    }

    /** Empty when no round completed both; the interval may miss that. */
    Optional<Ratio> of(String arm, String other, double missed) {
        double[] quotients = Summary.quotients(arm, other, trials, value);
        double shift = metric.map(
                        one -> Summary.shift(one, arm, trials, true) + Summary.shift(one, other, trials, true))
                .orElse(0.0);
        return quotients.length == 0
                ? Optional.empty()
                : Optional.of(Ratio.of(quotients, Ratio.Errors.of(missed), minPairs, shift));
    }

    /** Whether more runs of one arm failed than of the other: then it is neither better nor as good. */
    boolean failsMoreOften(String arm, String other) {
        return Summary.bad(arm, trials) > Summary.bad(other, trials);
    }

    /** Higher for the better arm. */
    double goodness(Ratio ratio) {
        return better == Metric.Better.LOWER ? -ratio.estimate() : ratio.estimate();
    }
}
