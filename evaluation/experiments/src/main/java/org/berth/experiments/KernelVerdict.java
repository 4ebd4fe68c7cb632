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
 * The verdict that binding is not worth it: an arm that leaves placement to the kernel ({@link Arm.Binding#UNBOUND}) is as good as
 * every bound arm within the margin, or better.
 *
 * <p>Every bound arm is compared with it, by the interval of their ratio, since the best one is known only after the runs:
 * choosing it first and comparing it alone would be biased in its favour. All these intervals hold together (Bonferroni,
 * as in {@link Summary#of}). Not to be worse by more than a margin is what trials of medicine call non-inferiority.
 *
 * @param arm that leaves placement to the kernel
 * @param bestBound the best of the bound arms
 * @param ratio of the bound arm to the other one
 */
public record KernelVerdict(String arm, String bestBound, Ratio ratio) {
    /**
     * Empty when a bound arm may be better by more than the margin, and when there is nothing to say.
     *
     * @param error of all intervals together
     * @param metric what the verdict is about; empty for the wall time
     */
    static Optional<KernelVerdict> of(
            Experiment experiment,
            List<Trial> trials,
            Optional<Metric> metric,
            double error,
            int minPairs,
            double margin) {
        Function<Trial, OptionalDouble> value = metric.isPresent()
                ? trial -> trial.metric(metric.get().name())
                : trial -> OptionalDouble.of(trial.wallSeconds());
        Metric.Better better = metric.map(Metric::better).orElse(Metric.Better.LOWER);
        Set<String> ran = trials.stream().filter(Trial::counts).map(Trial::arm).collect(Collectors.toSet());
        List<String> kernels = new ArrayList<>();
        List<String> bound = new ArrayList<>();
        for (Arm arm : experiment.arms()) {
            if (ran.contains(arm.name()) && arm.binding() != Arm.Binding.UNKNOWN) {
                (arm.binding() == Arm.Binding.UNBOUND ? kernels : bound).add(arm.name());
            }
        }
        if (kernels.isEmpty() || bound.isEmpty()) {
            return Optional.empty();
        }
        int comparisons = kernels.size() * bound.size() + kernels.size() - 1;
        Comparer comparer = new Comparer(trials, value, better, error / comparisons, minPairs, margin);
        Optional<KernelVerdict> verdict = Optional.empty();
        for (String kernel : kernels) {
            boolean earns = verdict.isEmpty()
                    || comparer.ratio(kernel, kernels.get(0))
                            .filter(ratio -> Verdict.of(Optional.of(ratio), margin, better)
                                            .kind()
                                    == Verdict.Kind.FASTER)
                            .isPresent();
            Optional<KernelVerdict> of = earns ? comparer.verdict(kernel, bound) : Optional.empty();
            verdict = of.isPresent() ? of : verdict;
        }
        return verdict;
    }

    private record Comparer(
            List<Trial> trials,
            Function<Trial, OptionalDouble> value,
            Metric.Better better,
            double error,
            int minPairs,
            double margin) {
        Optional<Ratio> ratio(String arm, String other) {
            double[] quotients = Summary.quotients(arm, other, trials, value);
            return quotients.length == 0 ? Optional.empty() : Optional.of(Ratio.of(quotients, error, minPairs));
        }

        /** Empty unless no bound arm may be better by more than the margin. */
        Optional<KernelVerdict> verdict(String kernel, List<String> bound) {
            Optional<KernelVerdict> best = Optional.empty();
            for (String arm : bound) {
                Optional<Ratio> ratio = ratio(arm, kernel);
                if (ratio.flatMap(Ratio::interval).filter(this::noBetter).isEmpty()) {
                    return Optional.empty();
                }
                if (best.isEmpty() || goodness(ratio.get()) > goodness(best.get().ratio)) {
                    best = Optional.of(new KernelVerdict(kernel, arm, ratio.get()));
                }
            }
            return best;
        }

        private boolean noBetter(Ratio.Interval interval) {
            return better == Metric.Better.LOWER ? interval.low() > 1 / (1 + margin) : interval.high() < 1 + margin;
        }

        private double goodness(Ratio ratio) {
            return better == Metric.Better.LOWER ? -ratio.estimate() : ratio.estimate();
        }
    }
}
