package org.berth.cli.compare;

import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Experiment;
import org.berth.experiments.StoppingRule;
import org.berth.experiments.Verdict;
import picocli.CommandLine.Option;

/** The options of {@code compare} that choose the number of runs. */
final class RoundOptions {
    /** Finds 5 % among runs that vary by 3 % in more than 8 of 10 comparisons of four arms; 6 runs in 4 of 10. */
    private static final int RUNS = 12;

    private static final int MIN_RUNS_UNTIL_DECIDED = 6;
    private static final int MAX_RUNS_UNTIL_DECIDED = 30;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Runs of each arm that count; one more is a warm-up. Default: " + RUNS
                    + ", with --until-decided " + MAX_RUNS_UNTIL_DECIDED
                    + ". An interval needs at least 5.")
    private Optional<Integer> runs = Optional.empty();

    @Option(
            names = "--until-decided",
            description = "Stop once every arm is significantly different from the baseline or equivalent within 2 %%;"
                    + " --runs is then the maximum.")
    private boolean untilDecided;

    int rounds() {
        return rounds(RUNS);
    }

    /** @param ordinary unless the user gives a number or a rule */
    int rounds(int ordinary) {
        return runs.orElse(untilDecided ? MAX_RUNS_UNTIL_DECIDED : ordinary);
    }

    void check() {
        WorkOptions.requireAtLeastOne("--runs", runs);
        if (untilDecided && rounds() < MIN_RUNS_UNTIL_DECIDED) {
            throw CommandException.usage("--until-decided needs at least " + MIN_RUNS_UNTIL_DECIDED + " runs; --runs "
                    + rounds() + " are fewer");
        }
    }

    Optional<StoppingRule> rule(Experiment experiment) {
        return untilDecided
                ? Optional.of(StoppingRule.of(
                        experiment.arms().size(),
                        Math.max(1, experiment.metrics().size()),
                        MIN_RUNS_UNTIL_DECIDED,
                        experiment.rounds(),
                        Verdict.MARGIN))
                : Optional.empty();
    }
}
