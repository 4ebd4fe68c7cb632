package org.berth.experiments.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Ratio;

/**
 * The other half of {@link KernelVerdict}, where an arm pits the kernel's own placement under a setting of its own
 * against binding: a
 * bound arm is better than every arm that leaves placement to the kernel, or the runs settle neither.
 *
 * <p>A bound arm is compared with every unbound one, and all of these must agree, so each comparison may err as often
 * as the
 * statement about that arm; the bound arms share the 5 % (Bonferroni), since the best of them is known only after the
 * runs.
 *
 * @param binds whether the bound arm is significantly better than every unbound one
 * @param bound the best of the bound arms
 * @param unbound the one that comes closest to it
 * @param ratio of the bound to the unbound arm; without an interval when there are too few pairs
 */
public record BindVerdict(boolean binds, String bound, String unbound, Ratio ratio) {
    /**
     * Is empty when no unbound arm has a setting of the kernel of its own, and when no round completed both kinds of
     * arms.
     */
    static Optional<BindVerdict> of(Experiment experiment, ArmRatios ratios) {
        if (!isAsked(experiment)) {
            return Optional.empty();
        }
        Optional<BindVerdict> best = Optional.empty();
        for (String bound : ratios.bound()) {
            Optional<BindVerdict> one = against(ratios, bound);
            if (one.isPresent() && (best.isEmpty() || one.get().isBetter(best.get(), ratios))) {
                best = one;
            }
        }
        return best;
    }

    /** Whether an unbound arm has a setting of the kernel of its own. */
    static boolean isAsked(Experiment experiment) {
        return experiment.arms().stream()
                .anyMatch(arm ->
                        arm.binding() == Arm.Binding.UNBOUND && !arm.kernel().isEmpty());
    }

    /** One bound arm and the unbound arm that it has least over; empty when a ratio is missing. */
    private static Optional<BindVerdict> against(ArmRatios ratios, String bound) {
        boolean binds = true;
        List<BindVerdict> all = new ArrayList<>();
        for (String unbound : ratios.unbound()) {
            Optional<Ratio> ratio =
                    ratios.of(bound, unbound, ratios.errorOfOneOf(ratios.bound().size()));
            if (ratio.isEmpty()) {
                return Optional.empty();
            }
            binds &= Verdict.of(ratio, Verdict.MARGIN, ratios.better()).kind() == Verdict.Kind.FASTER
                    && !ratios.failsMoreOften(bound, unbound);
            all.add(new BindVerdict(false, bound, unbound, ratio.get()));
        }
        BindVerdict closest = all.get(0);
        for (BindVerdict one : all) {
            closest = ratios.goodness(one.ratio) < ratios.goodness(closest.ratio) ? one : closest;
        }
        return Optional.of(new BindVerdict(binds, bound, closest.unbound, closest.ratio));
    }

    private boolean isBetter(BindVerdict other, ArmRatios ratios) {
        return binds != other.binds ? binds : ratios.goodness(ratio) > ratios.goodness(other.ratio);
    }
}
