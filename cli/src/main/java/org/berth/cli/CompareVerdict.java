package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Ratio;
import org.berth.experiments.Spread;
import org.berth.experiments.Summary;
import org.berth.experiments.Verdict;

/** What may be said of a comparison, and no more. */
final class CompareVerdict {
    private static final String SCOPE =
            "Differences here are more than noise on this machine, for this work and load; the 95 % hold for all levels"
                    + " together.";

    private CompareVerdict() {}

    /** One sentence for each level beside the first, what they hold for, and how stable the levels are. */
    static List<String> sentences(Summary summary) {
        ArmSummary baseline = summary.arms().get(0);
        List<Verdict> verdicts = summary.verdicts(Verdict.MARGIN);
        List<String> sentences = new ArrayList<>();
        boolean difference = false;
        for (int i = 0; i < verdicts.size(); i++) {
            ArmSummary arm = summary.arms().get(i + 1);
            sentences.add(arm.arm() + ": " + sentence(verdicts.get(i), measure(arm), baseline.arm()));
            Verdict.Kind kind = verdicts.get(i).kind();
            difference |= kind == Verdict.Kind.FASTER || kind == Verdict.Kind.SLOWER;
        }
        if (difference) {
            sentences.add(SCOPE);
        }
        summary.arms().stream()
                .skip(1)
                .map(arm -> stability(arm, baseline))
                .filter(one -> !one.isEmpty())
                .forEach(sentences::add);
        return sentences;
    }

    private static String measure(ArmSummary arm) {
        return arm.metricRatio().isPresent() ? "job time" : "wall time";
    }

    private static String sentence(Verdict verdict, String measure, String baseline) {
        double estimate = verdict.estimate().orElse(Double.NaN);
        String pairs = Labels.count(verdict.pairs(), "pair");
        return switch (verdict.kind()) {
            case FASTER, SLOWER ->
                String.format(
                        Locale.ROOT,
                        "%s than %s in %s, 95 %% CI %s, %s.",
                        change(estimate),
                        baseline,
                        measure,
                        sameSide(verdict.interval().orElseThrow()),
                        pairs);
            case EQUIVALENT ->
                String.format(
                        Locale.ROOT,
                        "the same as %s in %s within %.0f %%, 95 %% CI %s, %s.",
                        baseline,
                        measure,
                        100 * Verdict.MARGIN,
                        bothSides(verdict.interval().orElseThrow()),
                        pairs);
            case NO_DIFFERENCE_FOUND ->
                String.format(
                        Locale.ROOT,
                        "no difference from %s found in %s, 95 %% CI %s, %s; with these runs %s could have been seen.",
                        baseline,
                        measure,
                        bothSides(verdict.interval().orElseThrow()),
                        pairs,
                        percent(verdict.detectable()));
            case TOO_FEW_PAIRS ->
                String.format(
                        Locale.ROOT,
                        "too few runs to say: its %s was %.1f %% %s than that of %s over %s; --runs %d or more give an"
                                + " interval.",
                        measure,
                        100 * Math.abs(1 - estimate),
                        estimate < 1 ? "less" : "more",
                        baseline,
                        pairs,
                        Ratio.MIN_PAIRS);
            case NOTHING_TO_COMPARE ->
                "nothing can be said, since no round completed both for it and for " + baseline + "; see the logs.";
        };
    }

    /** Time saved or added, as a share of the baseline's time. */
    private static String change(double ratio) {
        return String.format(Locale.ROOT, "%.1f %% %s", 100 * Math.abs(1 - ratio), ratio < 1 ? "faster" : "slower");
    }

    private static String sameSide(Ratio.Interval interval) {
        double one = 100 * Math.abs(1 - interval.low());
        double other = 100 * Math.abs(1 - interval.high());
        return String.format(Locale.ROOT, "%.1f to %.1f %%", Math.min(one, other), Math.max(one, other));
    }

    private static String bothSides(Ratio.Interval interval) {
        return change(interval.low()) + " to " + change(interval.high());
    }

    private static String percent(OptionalDouble share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share.orElseThrow());
    }

    /** Numbers without an interval, and named so: none can be trusted with so few runs. */
    private static String stability(ArmSummary arm, ArmSummary baseline) {
        if (arm.measure().isEmpty() || baseline.measure().isEmpty()) {
            return "";
        }
        Spread one = arm.measure().get();
        Spread other = baseline.measure().get();
        OptionalDouble ratio = one.variationRatio(other);
        if (ratio.isEmpty() || one.count() < Ratio.MIN_PAIRS || other.count() < Ratio.MIN_PAIRS) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "%s: its runs vary by %s (standard deviation by mean), those of %s by %s: %.1f times as much; how sure that"
                        + " is cannot be said.",
                arm.arm(),
                percent(one.variation()),
                baseline.arm(),
                percent(other.variation()),
                ratio.getAsDouble());
    }
}
