package org.berth.cli.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.statistics.Ratio;
import org.berth.report.comparison.VerdictText;
import org.berth.text.Words;
import picocli.CommandLine.Option;

/** {@code compare --self-check}: runs the same arm twice (A/A), which must show no difference. */
final class SelfCheck {
    private static final int FAILURE = 1;

    @Option(
            names = "--self-check",
            description =
                    "Compare the first level with itself, to check whether comparisons of this work on this machine are"
                            + " reliable. Exit code 1 when a difference is found, which happens by chance in at most 5 %% of cases.")
    private boolean wanted;

    boolean wanted() {
        return wanted;
    }

    /** Usage errors, before anything runs. */
    void check(int rounds) {
        if (wanted && rounds < Ratio.MIN_PAIRS) {
            throw CommandException.usage("--self-check with --runs " + rounds + ": needs at least " + Ratio.MIN_PAIRS);
        }
    }

    /** The first arm twice, or the unchanged experiment. */
    Experiment apply(Experiment experiment) {
        if (!wanted) {
            return experiment;
        }
        Arm first = experiment.arms().get(0);
        Arm again = first.under(first.kernel(), first.name() + "-again");
        return experiment.withArms(List.of(first, again));
    }

    /** Prints the result of a self-check, if one was requested; returns the exit code of the command. */
    int conclude(PrintWriter out, ExperimentResult result, int exitCode) {
        if (!wanted) {
            return exitCode;
        }
        Verdict verdict = result.summary().verdicts().get(0);
        switch (verdict.kind()) {
            case EQUIVALENT, NO_DIFFERENCE_FOUND ->
                out.println(String.format(
                        Locale.ROOT,
                        "Self-check passed: equal work showed no significant difference, as in at least 95 %% of"
                                + " self-checks; smallest detectable difference: %s.",
                        VerdictText.detectable(verdict.detectable().orElseThrow())));
            case FASTER, SLOWER ->
                out.println(String.format(
                        Locale.ROOT,
                        "Self-check FAILED: equal work differed by %.1f %%. By chance this happens in at most 5 %% of"
                                + " self-checks: run it again. If it fails again, something affects one run of a round"
                                + " more than the other (another process, throttling, caches that fill), and a"
                                + " difference of that size means nothing here.",
                        100 * Math.abs(1 - verdict.estimate().orElseThrow())));
            case FAILS_MORE_OFTEN -> out.println("Self-check without a result: some runs failed; see the logs.");
            case NOT_ENDED -> out.println("Self-check without a result: it was stopped before its end.");
            case LEVEL_TOO_LOW ->
                out.println("Self-check without a result: the level of the metric is too low to compare.");
            case TOO_FEW_PAIRS, NOTHING_TO_COMPARE ->
                out.println("Self-check without a result: " + Words.count(verdict.pairs(), "pair") + " completed, "
                        + Ratio.MIN_PAIRS + " are needed.");
        }
        return verdict.kind() == Verdict.Kind.EQUIVALENT || verdict.kind() == Verdict.Kind.NO_DIFFERENCE_FOUND
                ? exitCode
                : FAILURE;
    }
}
