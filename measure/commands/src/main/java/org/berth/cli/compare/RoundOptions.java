package org.berth.cli.compare;

import java.time.Duration;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Experiment;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.run.RoundFit;
import picocli.CommandLine.Option;

/** The options of {@code compare}, {@code bench} and {@code study} that choose the number of runs. */
public final class RoundOptions {
    /** Finds 5 % among runs that vary by 3 % in more than 8 of 10 comparisons of four arms; 6 runs in 4 of 10. */
    private static final int RUNS = 12;

    private static final int LEAST_RUNS = 5;

    /** Leaves a part of two minutes for all that is not a run. */
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(105);

    private static final int WARM_UPS = 1;
    private static final int MIN_RUNS_UNTIL_DECIDED = 6;
    private static final int MAX_RUNS_UNTIL_DECIDED = 30;
    private static final double LEAST_MARGIN = 0.1;
    private static final double MOST_MARGIN = 50;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Measured runs of each arm, after the warm-up. Default: as many as fit into two minutes, "
                    + LEAST_RUNS
                    + " to " + RUNS + "; for a study 10 (affinity) or 6 (collectors), with --until-decided "
                    + MAX_RUNS_UNTIL_DECIDED
                    + ". An interval needs at least 5.")
    private Optional<Integer> runs = Optional.empty();

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "Runs of each arm before those that count; default: " + WARM_UPS + ".")
    private Optional<Integer> warmUps = Optional.empty();

    @Option(
            names = "--until-decided",
            description =
                    "Drop an arm once it is significantly different from the baseline or the same within the margin,"
                            + " and stop when none is left; --runs is then the maximum.")
    private boolean untilDecided;

    @Option(
            names = "--margin",
            paramLabel = "PERCENT",
            description = "Arms count as the same once the difference is significantly smaller than this. Default: 2.")
    private Optional<String> margin = Optional.empty();

    int rounds() {
        return rounds(RUNS);
    }

    /**
     * Runs of each arm that count.
     *
     * @param ordinary unless the user gives a number or a rule
     */
    public int rounds(int ordinary) {
        return runs.orElse(untilDecided ? MAX_RUNS_UNTIL_DECIDED : ordinary);
    }

    public int warmUps() {
        return warmUps.orElse(WARM_UPS);
    }

    /** Usage errors, before anything runs. */
    public void check() {
        margin();
        if (warmUps() < 0) {
            throw CommandException.usage("--warmup " + warmUps() + ": give a whole number, at least 0");
        }
        if (runs.isPresent() && runs.get() < 1) {
            throw CommandException.usage("--runs " + runs.get() + ": give a number of at least 1");
        }
        if (untilDecided && rounds() < MIN_RUNS_UNTIL_DECIDED) {
            throw CommandException.usage("--until-decided needs at least " + MIN_RUNS_UNTIL_DECIDED + " runs; --runs "
                    + rounds() + " are fewer");
        }
    }

    /** The experiment with its warm-ups, and with what its verdicts claim. */
    public Experiment applyTo(Experiment experiment) {
        return experiment.withWarmUps(warmUps()).withClaims(experiment.claims().withMargin(margin()));
    }

    private double margin() {
        try {
            double percent = Double.parseDouble(margin.orElse("2").replaceFirst("\\s*%$", ""));
            if (percent >= LEAST_MARGIN && percent <= MOST_MARGIN) {
                return percent / 100;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw CommandException.usage("--margin " + margin.orElse("") + ": needs a percentage from " + LEAST_MARGIN
                + " to " + MOST_MARGIN + ", such as 2");
    }

    /** What chooses the number of runs after the warm-ups, unless the user does. */
    public Optional<RoundFit> fit() {
        return runs.isPresent() || untilDecided || warmUps() == 0
                ? Optional.empty()
                : Optional.of(new RoundFit(FIRST_ANSWER, LEAST_RUNS));
    }

    /** The rule by which runs end early, if the user asks for that. */
    public Optional<StoppingRule> rule(Experiment experiment) {
        return untilDecided
                ? Optional.of(StoppingRule.of(
                        experiment.arms().size(), MIN_RUNS_UNTIL_DECIDED, experiment.rounds(), experiment.claims()))
                : Optional.empty();
    }
}
