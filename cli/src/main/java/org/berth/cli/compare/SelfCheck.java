package org.berth.cli.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.berth.cli.shared.CommandException;
import org.berth.drawing.text.Labels;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.ExperimentResult;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Ratio;
import picocli.CommandLine.Option;

/** {@code compare --self-check}: the same arm twice (A/A), which must come out as no difference. */
final class SelfCheck {
    private static final int FAILURE = 1;

    @Option(
            names = "--self-check",
            description =
                    "Compare the first level with itself: whether this machine and work let a comparison be trusted."
                            + " Exit code 1 when a difference is found, which by chance happens in at most 5 of 100 cases.")
    private boolean wanted;

    boolean wanted() {
        return wanted;
    }

    /** Wrong usage, before anything is done. */
    void check(ArmOptions arms, int rounds) {
        if (wanted && !arms.isEmpty()) {
            throw CommandException.usage(
                    "--self-check compares one level with itself; leave out --arm, --near, --numactl"
                            + " and --numa-balancing");
        }
        if (wanted && rounds < Ratio.MIN_PAIRS) {
            throw CommandException.usage(
                    "--self-check with --runs " + rounds + ": a difference needs at least " + Ratio.MIN_PAIRS);
        }
    }

    /** The first arm and its double, or the experiment as it is. */
    Experiment apply(Experiment experiment) {
        if (!wanted) {
            return experiment;
        }
        Arm first = experiment.arms().get(0);
        Arm again = new Arm(
                first.name() + "-again", first.command(), first.environment(), first.expectation(), first.kernel());
        return experiment.withArms(List.of(first, again));
    }

    /** Says what came out, if a self-check was asked for; gives the exit code of the whole. */
    int conclude(PrintWriter out, ExperimentResult result, int exitCode) {
        if (!wanted) {
            return exitCode;
        }
        Verdict verdict = result.summary().verdicts(Verdict.MARGIN).get(0);
        switch (verdict.kind()) {
            case EQUIVALENT, NO_DIFFERENCE_FOUND ->
                out.println(String.format(
                        Locale.ROOT,
                        "Self-check passed: equal work came out as equal, as it does in at least 95 of 100 self-checks; a"
                                + " difference of %.1f %% could have been seen.",
                        100 * verdict.detectable().orElseThrow()));
            case FASTER, SLOWER ->
                out.println(String.format(
                        Locale.ROOT,
                        "Self-check FAILED: equal work came out as different by %.1f %%. By chance this happens in at most 5"
                                + " of 100 self-checks: run it again. If it fails again, something hits one run of a round"
                                + " more than the other (a neighbour, throttling, caches that fill), and a difference of"
                                + " that size means nothing here.",
                        100 * Math.abs(1 - verdict.estimate().orElseThrow())));
            case TOO_FEW_PAIRS, NOTHING_TO_COMPARE ->
                out.println("Self-check without an answer: " + Labels.count(verdict.pairs(), "pair") + " completed, "
                        + Ratio.MIN_PAIRS + " are needed.");
        }
        return verdict.kind() == Verdict.Kind.EQUIVALENT || verdict.kind() == Verdict.Kind.NO_DIFFERENCE_FOUND
                ? exitCode
                : FAILURE;
    }
}
