package org.berth.cli.compare.output;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.RunningEstimate;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.result.Summary;
import org.berth.experiments.run.Progress;
import org.berth.experiments.statistics.Ratio;
import org.berth.text.Words;
import org.berth.topology.Topology;

/** Prints the plan of a comparison and its progress. */
public final class CompareProgress implements Progress, AutoCloseable {
    private final RunLine out;
    private final Experiment experiment;
    private final CompareArms arms;
    private final Optional<StoppingRule> rule;
    private final boolean fits;
    private int rounds;
    private int left;

    /**
     * Makes the progress of a comparison.
     *
     * @param rule that may end it early
     * @param fits whether the number of runs is known after the warm-ups only
     */
    public CompareProgress(
            RunLine out, Experiment experiment, CompareArms arms, Optional<StoppingRule> rule, boolean fits) {
        this.rule = rule;
        this.fits = fits;
        this.out = out;
        this.experiment = experiment;
        this.arms = arms;
        this.rounds = experiment.rounds();
    }

    public void announce(Topology topology) {
        out.println(String.format(
                Locale.ROOT,
                "%s: %s; %s of each%s, in an order drawn by seed %d; %son CPUs %s",
                experiment.name(),
                experiment.arms().stream().map(Arm::name).collect(Collectors.joining(", ")),
                (fits ? "up to " : "") + Words.count(experiment.rounds(), "run"),
                warmUps(experiment.warmUps()),
                experiment.seed(),
                arms.threads() == 0 ? "" : Words.count(arms.threads(), "worker thread") + " ",
                topology.allowedCpuSet()));
        arms.same().forEach((level, why) -> out.println(level.word() + ": " + why + ", not run"));
        arms.absent().forEach(line -> out.println(line + ", not run"));
        arms.plans()
                .forEach((level, plan) ->
                        plan.notes().forEach(note -> out.println("note on " + level.word() + ": " + note)));
    }

    /** Continues "12 runs of each": " and a warm-up". */
    public static String warmUps(int count) {
        return count == 0 ? "" : count == 1 ? " and a warm-up" : " and " + Words.count(count, "warm-up");
    }

    /** Prints the smallest detectable difference before the runs start: of what holds at the end. */
    public void announceSensitivity() {
        double error = rule.map(StoppingRule::errorOfLastLook).orElseGet(() -> Summary.errorOfArm(experiment));
        announce(
                "smallest detectable difference (80 % power)",
                new double[] {error}, "; a comparison with more --runs detects smaller ones");
        int others = experiment.metrics().size() - 1;
        if (others > 1) {
            // Between numbers that go up and down together and numbers that have nothing to do with each other.
            announce(
                    "of the numbers after " + experiment.metrics().get(0).name(),
                    new double[] {error, error / others},
                    "; the more they go up and down together, the smaller");
        }
        rule.ifPresent(one -> out.println("looks after rounds "
                + one.looks().stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }

    private void announce(String what, double[] errors, String advice) {
        if (Verdict.detectable(0.01, experiment.rounds(), errors[0]).isPresent()) {
            out.println(what + ": about " + detectable(0.01, errors) + " if runs vary by 1 %, "
                    + detectable(0.03, errors) + " if they vary by 3 %" + advice);
        }
    }

    private String detectable(double deviation, double... errors) {
        return Arrays.stream(errors)
                .map(error -> Verdict.detectable(deviation, experiment.rounds(), error)
                        .orElseThrow())
                .mapToObj(share -> String.format(Locale.ROOT, "%.1f %%", 100 * share))
                .distinct()
                .collect(Collectors.joining(" to "));
    }

    @Override
    public void noted(String line) {
        out.println("note: " + line);
    }

    @Override
    public void started(ScheduledRun run, Arm arm, int runs) {
        out.starts(place(run), arm.name());
    }

    @Override
    public void finished(Trial trial) {
        out.ends(
                end(trial, experiment),
                trial.outcome() == Trial.Outcome.COMPLETED && trial.notes().isEmpty());
    }

    @Override
    public void fitted(int number) {
        rounds = number;
    }

    @Override
    public void ended(int round, List<Trial> trials, Duration time) {
        String limit = rule.isPresent() ? "at most " : "";
        if (round > 0) {
            out.rounds("after round " + round + "/" + rounds + ": ", estimates(trials), limit, time, "");
        } else {
            String runs = ": " + Words.count(rounds, "run") + " of each"
                    + (rounds < experiment.rounds() ? " by default; --runs N makes N" : "");
            out.rounds("", "", limit, time, fits ? runs : "");
        }
    }

    @Override
    public void close() {
        out.close();
    }

    /** The ratios by the rounds so far; the words of a verdict are left to the end. */
    private String estimates(List<Trial> trials) {
        List<RunningEstimate> all = RunningEstimate.of(experiment.withRounds(rounds), trials, rule);
        return all.isEmpty()
                ? ""
                : measure(all.get(0)) + " / " + experiment.arms().get(0).name() + ": "
                        + all.stream()
                                .map(one -> one.arm() + " " + ratio(one.ratio()))
                                .collect(Collectors.joining(", "));
    }

    private String measure(RunningEstimate one) {
        return one.byMetric()
                ? experiment.metrics().stream().findFirst().map(Metric::name).orElseThrow()
                : "wall time";
    }

    /** "0.973 (0.951 to 0.996)". */
    public static String ratio(Ratio ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio.estimate())
                + ratio.interval()
                        .map(ends -> String.format(Locale.ROOT, " (%.3f to %.3f)", ends.low(), ends.high()))
                        .orElse("");
    }

    /** How a run ended, in words. */
    public static String end(Trial trial, Experiment experiment) {
        String end = switch (trial.outcome()) {
            case COMPLETED -> String.format(Locale.ROOT, "%.2f s", trial.wallSeconds());
            case FAILED -> "failed (exit code " + trial.exitCode().orElse(-1) + "), see " + trial.log();
            case TIMED_OUT -> "took longer than " + experiment.timeout().toMillis() / 1000.0 + " s and was ended";
            case STOPPED -> "stopped";
        };
        return end + trial.notes().stream().map(note -> "; " + note).collect(Collectors.joining());
    }

    @Override
    public void decided(StoppingRule.Decision decision) {
        if (decision.left().size() > left && !decision.stop()) {
            out.println("decided: "
                    + decision.left().stream()
                            .sorted()
                            .map(place -> experiment.arms().get(place + 1).name())
                            .collect(Collectors.joining(", ")));
        }
        left = decision.left().size();
        if (decision.stop()) {
            out.println(decision.reason());
        }
    }

    private String place(ScheduledRun run) {
        return run.warmUp() ? "warm-up" : "round " + run.round() + "/" + rounds;
    }
}
