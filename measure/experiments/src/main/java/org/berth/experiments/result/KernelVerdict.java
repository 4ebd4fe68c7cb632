package org.berth.experiments.result;

import java.util.Optional;
import org.berth.experiments.Arm;
import org.berth.experiments.Metric;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Ratio;

/**
 * The verdict that binding is not worth it: an arm that leaves placement to the kernel ({@link Arm.Binding#UNBOUND}) is
 * as good as every bound arm within the margin, or better, and fails no more often.
 *
 * <p>Every bound arm is compared with it, by the interval of their ratio, since the best one is known only after the
 * runs:
 * choosing it first and comparing it alone would be biased in its favour. Each of these one-sided tests may err in 5 %:
 * the
 * verdict is wrong only if the one about the best bound arm is (an intersection-union test; Berger, Multiparameter
 * hypothesis
 * testing and acceptance sampling, 1982). Where several arms leave placement to the kernel, they share the 5 %. Not to
 * be worse by more than a margin is what trials of medicine call non-inferiority.
 *
 * @param arm that leaves placement to the kernel
 * @param bestBound the best of the bound arms
 * @param ratio of the bound arm to the other one
 */
public record KernelVerdict(String arm, String bestBound, Ratio ratio) {
    /** Is empty when a bound arm may be better by more than the margin, and when there is nothing to say. */
    static Optional<KernelVerdict> of(ArmRatios ratios, double margin) {
        Optional<KernelVerdict> verdict = Optional.empty();
        for (String kernel : ratios.unbound()) {
            boolean earns = verdict.isEmpty()
                    || ratios.of(
                                    kernel,
                                    ratios.unbound().get(0),
                                    ratios.errorOfOneOf(ratios.unbound().size()))
                            .filter(ratio -> Verdict.of(Optional.of(ratio), margin, ratios.better())
                                            .kind()
                                    == Verdict.Kind.FASTER)
                            .isPresent();
            Optional<KernelVerdict> of = earns ? verdict(ratios, kernel, margin) : Optional.empty();
            verdict = of.isPresent() ? of : verdict;
        }
        return verdict;
    }

    /** Is empty unless no bound arm may be better by more than the margin. */
    private static Optional<KernelVerdict> verdict(ArmRatios ratios, String kernel, double margin) {
        Optional<KernelVerdict> best = Optional.empty();
        for (String arm : ratios.bound()) {
            Optional<Ratio> ratio = ratios.of(
                    arm,
                    kernel,
                    rates -> rates.ofEquivalence() / ratios.unbound().size());
            if (ratios.failsMoreOften(kernel, arm)) {
                return Optional.empty();
            }
            if (ratio.flatMap(Ratio::interval)
                    .filter(interval -> isNoBetter(interval, ratios.better(), margin))
                    .isEmpty()) {
                return Optional.empty();
            }
            if (best.isEmpty() || ratios.goodness(ratio.get()) > ratios.goodness(best.get().ratio)) {
                best = Optional.of(new KernelVerdict(kernel, arm, ratio.get()));
            }
        }
        return best;
    }

    private static boolean isNoBetter(Ratio.Interval interval, Metric.Better better, double margin) {
        return better == Metric.Better.LOWER ? interval.low() > 1 / (1 + margin) : interval.high() < 1 + margin;
    }
}
