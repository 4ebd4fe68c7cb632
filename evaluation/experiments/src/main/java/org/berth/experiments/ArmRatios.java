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
 * Bound arms beside those that leave placement to the kernel ({@link Arm.Binding#UNBOUND}), and their ratios, whose intervals hold
 * together (Bonferroni).
 *
 * @param unbound arms with a run that counts, in their order
 * @param bound the same
 * @param error of each interval
 */
record ArmRatios(
        List<String> unbound,
        List<String> bound,
        List<Trial> trials,
        Function<Trial, OptionalDouble> value,
        Metric.Better better,
        double error,
        int minPairs) {
    /**
     * Empty unless there are arms of both kinds.
     *
     * @param error of all intervals together
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
        int comparisons = unbound.size() * bound.size() + unbound.size() - 1;
        return Optional.of(new ArmRatios(unbound, bound, trials, value, better, error / comparisons, minPairs));
    }

    /** Empty when no round completed both. */
    Optional<Ratio> of(String arm, String other) {
        double[] quotients = Summary.quotients(arm, other, trials, value);
        return quotients.length == 0 ? Optional.empty() : Optional.of(Ratio.of(quotients, error, minPairs));
    }

    /** Higher for the better arm. */
    double goodness(Ratio ratio) {
        return better == Metric.Better.LOWER ? -ratio.estimate() : ratio.estimate();
    }
}
