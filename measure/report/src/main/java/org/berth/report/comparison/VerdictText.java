package org.berth.report.comparison;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.ArmMetric;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Difference;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.text.Words;

/** The verdicts of a comparison as sentences, with what they hold for. Pure. */
public final class VerdictText {
    private static final String SCOPE =
            "Differences here exceed the noise on this machine, for this work and load; the confidence of 95 % holds for all"
                    + " arms together.";
    private static final String SCOPE_OF_SEVERAL =
            SCOPE.replace("all arms together", "all arms together, and for the numbers after the first together");

    /** More of them hide which one tells a difference. */
    private static final int MAX_SENTENCES = 6;

    private VerdictText() {}

    /** All that may be said. */
    public static List<String> sentences(Summary summary) {
        List<String> all = new ArrayList<>(verdicts(summary));
        all.addAll(scope(summary));
        return all;
    }

    /** The same for a terminal: many verdicts are a table. */
    static List<String> inText(Summary summary) {
        List<Judged> judged = judged(summary);
        if (!isTable(summary)) {
            return sentences(summary);
        }
        List<String> lines = new ArrayList<>(VerdictTable.render(
                judged, summary.arms().get(0).arm(), summary.claims().margin()));
        lines.add("");
        kernel(summary).or(() -> bind(summary)).ifPresent(lines::add);
        if (judged.stream().anyMatch(one -> one.difference().isPresent())) {
            lines.add("Where the level is too low to compare, the change is a difference in the unit of the number.");
        }
        lines.addAll(scope(summary));
        return lines;
    }

    static boolean isTable(Summary summary) {
        return judged(summary).size() > MAX_SENTENCES;
    }

    /**
     * A sentence for each arm but the baseline and each number that the work printed, or else its wall time; then the
     * one about the kernel or binding.
     */
    public static List<String> verdicts(Summary summary) {
        return Stream.concat(
                        judged(summary).stream().map(Judged::sentence),
                        kernel(summary).or(() -> bind(summary)).stream())
                .toList();
    }

    /** That placement may be left to the kernel; empty when nothing shows that. */
    public static Optional<String> kernel(Summary summary) {
        Quantity quantity = quantity(summary);
        return summary.kernel().map(verdict -> {
            Ratio ratio = verdict.ratio();
            Digits digits = Digits.of(ratio.interval());
            return String.format(
                    Locale.ROOT,
                    "Leave it to the kernel: no bound arm is better than %s in %s by more than %s; the best of them, %s: %s,"
                            + " with a confidence of 95 %% at best %s (%s).",
                    verdict.arm(),
                    quantity.name(),
                    margin(summary.claims().margin()),
                    verdict.bestBound(),
                    quantity.change(ratio.estimate(), digits),
                    quantity.change(quantity.best(ratio.interval().orElseThrow()), digits),
                    Words.count(ratio.pairs(), "pair"));
        });
    }

    private static Quantity quantity(Summary summary) {
        boolean printed = summary.arms().stream().anyMatch(ArmSummary::isJudgedByMetric);
        return printed ? Quantity.of(summary.arms().get(0).metrics().get(0).metric()) : Quantity.WALL;
    }

    /**
     * Tells, if the kernel's own placement is the question, whether binding pays or the runs do not settle it;
     * otherwise empty.
     */
    static Optional<String> bind(Summary summary) {
        return summary.bind().map(verdict -> {
            Quantity quantity = quantity(summary);
            String change = verdict.bound() + ": "
                    + quantity.change(
                            verdict.ratio().estimate(),
                            Digits.of(verdict.ratio().interval()))
                    + " than " + verdict.unbound()
                    + " in " + quantity.name();
            String pairs = Words.count(verdict.ratio().pairs(), "pair");
            Optional<Ratio.Interval> interval = verdict.ratio().interval();
            if (verdict.binds()) {
                return "Bind: " + change + ", and better than every arm that leaves placement to the kernel (95 % CI "
                        + sameSide(interval.orElseThrow()) + ", " + pairs + ").";
            }
            return "No difference shown between binding and the kernel: " + change + " ("
                    + interval.map(ends -> "95 % CI " + bothSides(quantity, ends) + ", " + pairs
                                    + "); a comparison with more --runs detects smaller differences.")
                            .orElseGet(() -> pairs
                                    + (verdict.ratio().pairs() < Ratio.MIN_PAIRS
                                            ? "); an interval needs --runs " + Ratio.MIN_PAIRS + " or more."
                                            : "); rounds are missing, so there is no interval."));
        });
    }

    /** What the verdicts hold for, and how stable the arms are. */
    public static List<String> scope(Summary summary) {
        ArmSummary baseline = summary.arms().get(0);
        List<String> sentences = new ArrayList<>();
        if (judged(summary).stream().anyMatch(one -> one.verdict.isDifference())) {
            sentences.add(baseline.metrics().size() > 1 ? SCOPE_OF_SEVERAL : SCOPE);
        }
        summary.arms().stream()
                .skip(1)
                .map(arm -> stability(arm, baseline))
                .filter(one -> !one.isEmpty())
                .forEach(sentences::add);
        return sentences;
    }

    /**
     * A verdict.
     *
     * @param difference in the unit of the quantity, when a ratio means nothing
     */
    record Judged(String arm, Quantity quantity, Verdict verdict, Optional<Difference> difference, String sentence) {}

    /** The verdicts about the first number, or else the wall time: one for each arm but the baseline. */
    static List<Judged> first(Summary summary) {
        return judged(summary).subList(0, Math.max(0, summary.arms().size() - 1));
    }

    /** Sentences about differences in the numbers after the first one. */
    static List<String> furtherDifferences(Summary summary) {
        List<Judged> all = judged(summary);
        return all.subList(first(summary).size(), all.size()).stream()
                .filter(one -> one.verdict().isDifference())
                .map(Judged::sentence)
                .toList();
    }

    private static List<Judged> judged(Summary summary) {
        ArmSummary baseline = summary.arms().get(0);
        List<Judged> judged = new ArrayList<>();
        for (int i = 0; i < Math.max(1, baseline.metrics().size()); i++) {
            for (ArmSummary arm : summary.arms().subList(1, summary.arms().size())) {
                boolean printed = i > 0 || arm.isJudgedByMetric();
                Quantity quantity = printed ? Quantity.of(arm.metrics().get(i).metric()) : Quantity.WALL;
                double margin = summary.claims().margin();
                Verdict verdict = printed ? arm.verdict(arm.metrics().get(i), margin) : arm.verdict(margin);
                Optional<Difference> difference = printed ? arm.metrics().get(i).difference() : Optional.empty();
                String sentence = difference.isPresent()
                        ? lowLevel(
                                quantity,
                                baseline.arm(),
                                difference.get(),
                                arm.metrics().get(i),
                                baseline.metrics().get(i))
                        : sentence(verdict, quantity, baseline.arm(), margin)
                                + medians(
                                        verdict,
                                        quantity,
                                        values(arm, printed ? i : -1),
                                        values(baseline, printed ? i : -1))
                                + failures(arm, baseline);
                judged.add(new Judged(arm.arm(), quantity, verdict, difference, arm.arm() + ": " + sentence));
            }
        }
        return judged;
    }

    private static Optional<Spread> values(ArmSummary arm, int metric) {
        return metric < 0 ? arm.wallSeconds() : arm.metrics().get(metric).values();
    }

    /** A reader of the table sees medians, which may differ the other way: they do not compare runs of one round. */
    private static String medians(
            Verdict verdict, Quantity quantity, Optional<Spread> ofArm, Optional<Spread> ofBaseline) {
        if (!verdict.isDifference() || ofArm.isEmpty() || ofBaseline.isEmpty()) {
            return "";
        }
        double arm = ofArm.get().median();
        double baseline = ofBaseline.get().median();
        return (arm - baseline) * (verdict.estimate().orElseThrow() - 1) < 0
                ? " The medians differ the other way (" + quantity.text(arm) + ", and " + quantity.text(baseline)
                        + "): medians compare all runs, the verdict only runs of the same round."
                : "";
    }

    /** "2 %" */
    public static String margin(double margin) {
        return String.format(
                Locale.ROOT,
                "%s %%",
                new BigDecimal(String.format(Locale.ROOT, "%.4f", 100 * margin))
                        .stripTrailingZeros()
                        .toPlainString());
    }

    private static String lowLevel(
            Quantity quantity, String baseline, Difference difference, ArmMetric arm, ArmMetric ofBaseline) {
        return "the level of " + quantity.name() + " is too low to compare: "
                + arm.values().map(quantity::spread).orElse("-") + ", and with " + baseline + " "
                + ofBaseline.values().map(quantity::spread).orElse("-") + "; difference "
                + quantity.text(difference.estimate()) + " ("
                + interval(quantity, difference)
                        .map(ends -> "95 % CI " + ends + ", ")
                        .orElse("")
                + Words.count(difference.pairs(), "pair") + ").";
    }

    /** The ends of the interval of a difference, with the unit; empty without an interval. */
    static Optional<String> interval(Quantity quantity, Difference difference) {
        return difference.low().isPresent() && difference.high().isPresent()
                ? Optional.of(Quantity.number(difference.low().getAsDouble()) + " to "
                        + quantity.text(difference.high().getAsDouble()))
                : Optional.empty();
    }

    private static String sentence(Verdict verdict, Quantity quantity, String baseline, double margin) {
        double estimate = verdict.estimate().orElse(Double.NaN);
        Digits digits = Digits.of(verdict.interval());
        String pairs = Words.count(verdict.pairs(), "pair");
        String measure = quantity.name();
        return switch (verdict.kind()) {
            case FASTER, SLOWER ->
                String.format(
                        Locale.ROOT,
                        "%s than %s in %s%s (95 %% CI %s, %s).",
                        quantity.change(estimate, digits),
                        baseline,
                        measure,
                        quantity.isTime()
                                ? ""
                                : verdict.kind() == Verdict.Kind.FASTER ? ", which is better" : ", which is worse",
                        sameSide(verdict.interval().orElseThrow()),
                        pairs);
            case EQUIVALENT ->
                String.format(
                        Locale.ROOT,
                        "the same as %s in %s within %s (90 %% CI %s, %s).",
                        baseline,
                        measure,
                        margin(margin),
                        bothSides(quantity, verdict.interval().orElseThrow()),
                        pairs);
            case FAILS_MORE_OFTEN ->
                String.format(
                        Locale.ROOT,
                        "fails more often than %s, so it is neither better nor the same; the runs that completed: %s in %s (95 %% CI"
                                + " %s, %s).",
                        baseline,
                        quantity.change(estimate, digits),
                        measure,
                        bothSides(quantity, verdict.interval().orElseThrow()),
                        pairs);
            case NO_DIFFERENCE_FOUND ->
                String.format(
                        Locale.ROOT,
                        "no significant difference from %s in %s (95 %% CI %s, %s); smallest detectable difference: %s.",
                        baseline,
                        measure,
                        bothSides(quantity, verdict.interval().orElseThrow()),
                        pairs,
                        detectable(verdict.detectable().orElseThrow()));
            case TOO_FEW_PAIRS ->
                String.format(
                        Locale.ROOT,
                        "too few runs: its %s was %s %s than that of %s over %s; an interval needs --runs %d or more.",
                        measure,
                        digits.change(estimate),
                        estimate < 1 ? "less" : "more",
                        baseline,
                        pairs,
                        Ratio.MIN_PAIRS);
            case NOT_ENDED ->
                String.format(
                        Locale.ROOT,
                        "no verdict yet: rounds are missing, and whether they are may depend on what the others showed; so far %s than"
                                + " %s in %s (%s).",
                        quantity.change(estimate, digits),
                        baseline,
                        measure,
                        pairs);
            case LEVEL_TOO_LOW -> "the level of " + measure + " is too low to compare.";
            case NOTHING_TO_COMPARE ->
                quantity.equals(Quantity.WALL)
                        ? "no verdict: no round completed both for it and for " + baseline + "; see the logs."
                        : "no verdict on " + measure + ": no round printed it both for this arm and for " + baseline
                                + "; see the logs.";
        };
    }

    /** Numbers are of completed runs only, so a reader has to know of the others. */
    private static String failures(ArmSummary arm, ArmSummary baseline) {
        if (arm.bad() == 0 && baseline.bad() == 0) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                " Failed: %d of its %s, %d of %d with %s.",
                arm.bad(),
                Words.count(arm.completed() + arm.bad(), "run"),
                baseline.bad(),
                baseline.completed() + baseline.bad(),
                baseline.arm());
    }

    static String sameSide(Ratio.Interval interval) {
        return Digits.of(interval).change(interval);
    }

    static String bothSides(Quantity quantity, Ratio.Interval interval) {
        Digits digits = Digits.of(interval);
        return quantity.change(interval.low(), digits) + " to " + quantity.change(interval.high(), digits);
    }

    /** Runs that differ so much that percents mean nothing any more see factors. */
    public static String detectable(double share) {
        return share < 1 ? Digits.two(share) + " %" : String.format(Locale.ROOT, "a factor of %.1f", 1 + share);
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
                "%s: its coefficient of variation is %s, that of %s is %s: %.1f times as much; there is no confidence interval"
                        + " for this ratio.",
                arm.arm(),
                percent(one.variation()),
                baseline.arm(),
                percent(other.variation()),
                ratio.getAsDouble());
    }
}
