package org.berth.experiments.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.experiments.statistics.Ratio;

/**
 * Bound arms next to those that leave placement to the kernel ({@link Arm.Binding#UNBOUND}), and their ratios.
 *
 * @param unbound arms with a run that counts, in their order
 * @param bound the same
 * @param looks what the baseline's and each other arm's verdict rests on
 * @param compared how many arms there are besides the baseline
 */
record ArmRatios(
        List<String> unbound,
        List<String> bound,
        List<Trial> trials,
        Function<Trial, OptionalDouble> value,
        Optional<Metric> metric,
        Metric.Better better,
        Function<String, Optional<Summary.Look>> looks,
        int compared) {
    /**
     * Is empty unless there are arms of both kinds.
     *
     * @param metric what is compared; empty for the wall time
     */
    static Optional<ArmRatios> of(
            Experiment experiment,
            List<Trial> trials,
            Optional<Metric> metric,
            Function<String, Optional<Summary.Look>> looks) {
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
        return Optional.of(new ArmRatios(
                unbound,
                bound,
                trials,
                value,
                metric,
                better,
                looks,
                Math.max(1, experiment.arms().size() - 1)));
    }

    /**
     * The ratio of all rounds that the verdicts of both rest on; empty when none completed both.
     *
     * @param missed what its interval may miss
     */
    Optional<Ratio> of(String arm, String other, ToDoubleFunction<Summary.Rates> missed) {
        Optional<Summary.Look> look = Stream.of(arm, other)
                .map(looks)
                .min(Comparator.comparingInt(
                        one -> one.map(Summary.Look::rounds).orElse(-1)))
                .orElseThrow();
        List<Trial> seen = look.map(one -> one.seen(trials)).orElse(trials);
        double[] quotients = Summary.quotients(arm, other, seen, value);
        double shift = metric.map(one -> Summary.shift(one, arm, seen, true) + Summary.shift(one, other, seen, true))
                .orElse(0.0);
        double error = look.map(Summary.Look::rates).stream()
                .mapToDouble(missed)
                .findFirst()
                .orElse(Summary.ERROR);
        return quotients.length == 0
                ? Optional.empty()
                : Optional.of(Ratio.of(
                        quotients,
                        Ratio.Errors.of(error),
                        look.isPresent() ? Ratio.MIN_PAIRS : Integer.MAX_VALUE,
                        shift));
    }

    /** The error of a difference, of some arms of which one is chosen. */
    ToDoubleFunction<Summary.Rates> errorOfOneOf(int arms) {
        return rates -> rates.ofArm() * compared / arms;
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
