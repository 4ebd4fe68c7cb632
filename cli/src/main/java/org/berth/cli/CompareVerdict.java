package org.berth.cli;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Ratio;
import org.berth.experiments.Summary;

/** What may be said of a comparison, and no more. */
final class CompareVerdict {
    private CompareVerdict() {}

    /** One sentence for each level beside the first. */
    static List<String> sentences(Summary summary) {
        ArmSummary baseline = summary.arms().get(0);
        return summary.arms().stream()
                .skip(1)
                .map(arm -> sentence(arm, baseline))
                .collect(Collectors.toList());
    }

    private static String sentence(ArmSummary arm, ArmSummary baseline) {
        boolean job = arm.metricRatio().isPresent();
        Optional<Ratio> ratio = job ? arm.metricRatio() : arm.wallRatio();
        String what = job ? "job time" : "wall time";
        if (ratio.isEmpty()) {
            return arm.arm() + ": nothing can be said, since no round completed both for it and for " + baseline.arm()
                    + "; see the logs.";
        }
        Ratio result = ratio.get();
        String found = String.format(
                Locale.ROOT, "%s took %s %s than %s", arm.arm(), percent(result.estimate()), what, baseline.arm());
        if (result.interval().isEmpty()) {
            return found
                    + String.format(
                            Locale.ROOT,
                            " in the median of %s of runs; that is too few to tell it from noise (--runs %d or more give"
                                    + " an interval).",
                            Labels.count(result.pairs(), "pair"),
                            Ratio.MIN_PAIRS);
        }
        Ratio.Interval interval = result.interval().get();
        String range = String.format(Locale.ROOT, "%.3f to %.3f", interval.low(), interval.high());
        if (!interval.excludesOne()) {
            return found + ", but the 95 % interval of the ratio, " + range + ", includes 1: these " + result.pairs()
                    + " pairs of runs show no difference that can be told from noise.";
        }
        return found + " (95 % interval of the ratio " + range + ", " + result.pairs()
                + " pairs of runs): more than noise here, which says nothing yet about other machines, jobs or loads.";
    }

    private static String percent(double ratio) {
        double percent = 100 * Math.abs(1 - ratio);
        return String.format(Locale.ROOT, "%.1f %% %s", percent, ratio < 1 ? "less" : "more");
    }
}
