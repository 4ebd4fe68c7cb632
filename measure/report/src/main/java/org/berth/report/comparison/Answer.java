package org.berth.report.comparison;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Ratio;

/** What a comparison says in one sentence and a word for each arm. Pure functions. */
public final class Answer {
    /** Who would change a setting for less? */
    static final double SMALL_GAIN = 0.03;

    /** The difference for which the number of runs is named. */
    private static final double WANTED = 0.05;

    private static final int MOST_RUNS = 1_000;

    private Answer() {}

    /** "faster", "slower", "same within 2 %", "fails more often" or "NOT DECIDED". */
    static String word(Verdict verdict, Quantity quantity, double margin) {
        return switch (verdict.kind()) {
            case FASTER -> quantity.isTime() ? "faster" : "better";
            case SLOWER -> quantity.isTime() ? "slower" : "worse";
            case EQUIVALENT -> "same within " + VerdictText.margin(margin);
            case FAILS_MORE_OFTEN -> "fails more often";
            default -> "NOT DECIDED";
        };
    }

    /** The sentence, and the line to use where an arm is better than the first one. */
    public static List<String> lines(Comparison comparison) {
        return lines(comparison.result().summary(), comparison.lines());
    }

    /** The same for a summary: without a winner, what may be better is told of all arms together. */
    public static List<String> lines(Summary summary, Map<String, String> uses) {
        if (summary.arms().size() < 2) {
            return List.of();
        }
        Optional<String> ofKernel = VerdictText.kernel(summary)
                .filter(text -> summary.kernel().stream()
                        .noneMatch(one -> one.arm().equals(summary.arms().get(0).arm())))
                .or(() -> VerdictText.bind(summary));
        if (ofKernel.isPresent()) {
            return List.of(ofKernel.get());
        }
        List<VerdictText.Judged> first = VerdictText.first(summary);
        List<VerdictText.Judged> better = first.stream()
                .filter(one -> one.verdict().kind() == Verdict.Kind.FASTER)
                .sorted(Comparator.comparingDouble(Answer::cost))
                .toList();
        return better.isEmpty()
                ? List.of(withoutWinner(summary, first))
                : ofWinner(summary.arms().get(0).arm(), better, uses);
    }

    /** The smaller, the better. */
    private static double cost(VerdictText.Judged judged) {
        double ratio = judged.verdict().estimate().orElse(1);
        return judged.quantity().higherIsBetter() ? 1 / ratio : ratio;
    }

    private static List<String> ofWinner(String baseline, List<VerdictText.Judged> better, Map<String, String> uses) {
        VerdictText.Judged best = better.get(0);
        Quantity quantity = best.quantity();
        Ratio.Interval interval = best.verdict().interval().orElseThrow();
        String change = quantity.isTime() ? "faster" : quantity.higherIsBetter() ? "higher" : "lower";
        String others = better.stream().skip(1).map(VerdictText.Judged::arm).collect(Collectors.joining(", "));
        List<String> lines = new ArrayList<>();
        lines.add(best.arm() + " is " + VerdictText.sameSide(interval) + " " + change + " than " + baseline + " in "
                + quantity.name() + (others.isEmpty() ? "." : "; better than " + baseline + ", too: " + others + "."));
        Optional.ofNullable(uses.get(best.arm())).ifPresent(line -> lines.add("Use: " + line));
        return lines;
    }

    private static String withoutWinner(Summary summary, List<VerdictText.Judged> first) {
        String baseline = summary.arms().get(0).arm();
        Optional<VerdictText.Judged> blind = first.stream()
                .filter(one -> !one.verdict().kind().decided())
                .filter(one -> one.verdict().interval().isEmpty())
                .findFirst();
        if (blind.isPresent()) {
            return "NOT DECIDED: " + blind.get().sentence();
        }
        double possible = possibleGain(summary);
        if (possible <= SMALL_GAIN) {
            return possible <= 0 ? nothing(baseline) + " Every other arm is worse." : nothing(baseline, possible);
        }
        VerdictText.Judged widest = first.stream()
                .filter(one -> !one.verdict().kind().decided())
                .max(Comparator.comparingDouble(Answer::bestGain))
                .orElseThrow();
        Verdict verdict = widest.verdict();
        double times = verdict.detectable().orElse(WANTED) / WANTED;
        long runs = (long) Math.ceil(verdict.pairs() * Math.max(1, times * times) / 10) * 10;
        return open(widest, baseline)
                + (times <= 1
                        ? "more --runs, or --until-decided, can tell."
                        : runs > MOST_RUNS
                                ? "the runs vary too much to find a difference of 5 %."
                                : "about --runs " + runs + " would find a difference of 5 %.");
    }

    /** "Nothing to gain here: leave it unbound." */
    public static String nothing(String baseline) {
        return "Nothing to gain here: "
                + (baseline.equals("none") ? "leave it unbound." : "stay with " + baseline + ".");
    }

    /** The same with the gain that is excluded, 0.02 for 2 %. */
    public static String nothing(String baseline, double gain) {
        return String.format(
                Locale.ROOT, "%s A gain above %.1f %% would have been seen.", nothing(baseline), 100 * gain);
    }

    /** The start of a sentence about two arms that are not decided: the interval of the second one. The remedy follows. */
    public static String open(Summary summary) {
        return open(VerdictText.first(summary).get(0), summary.arms().get(0).arm());
    }

    private static String open(VerdictText.Judged judged, String baseline) {
        return "NOT DECIDED: " + judged.arm() + " is "
                + VerdictText.bothSides(
                        judged.quantity(), judged.verdict().interval().orElseThrow()) + " than " + baseline + " in "
                + judged.quantity().name() + "; ";
    }

    /** The largest gain over the first arm that the interval of any other leaves possible; negative where all are worse. */
    public static double possibleGain(Summary summary) {
        return VerdictText.first(summary).stream()
                .mapToDouble(Answer::bestGain)
                .max()
                .orElse(0);
    }

    /** How much better an arm may be by its interval; a decided one that is slower cannot be better. */
    private static double bestGain(VerdictText.Judged judged) {
        return Stream.of(judged.verdict())
                .filter(verdict -> verdict.kind() != Verdict.Kind.FAILS_MORE_OFTEN)
                .flatMap(verdict -> verdict.interval().stream())
                .mapToDouble(interval -> judged.quantity().higherIsBetter() ? interval.high() - 1 : 1 - interval.low())
                .max()
                .orElse(0);
    }

    /** The word for an arm by the number of the verdict; a dash for the first arm. */
    public static String word(Summary summary, ArmSummary arm) {
        return VerdictText.first(summary).stream()
                .filter(one -> one.arm().equals(arm.arm()))
                .findFirst()
                .map(one -> word(one.verdict(), one.quantity(), summary.claims().margin()))
                .orElse("-");
    }
}
