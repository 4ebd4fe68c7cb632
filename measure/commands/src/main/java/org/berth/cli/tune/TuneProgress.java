package org.berth.cli.tune;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.berth.cli.compare.output.CompareProgress;
import org.berth.cli.compare.output.RoughTime;
import org.berth.cli.compare.output.RunLine;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.race.Race;
import org.berth.experiments.race.RacePlan;
import org.berth.experiments.race.RaceProgress;
import org.berth.experiments.result.RunningEstimate;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.run.TimeLeft;
import org.berth.text.Words;
import org.berth.topology.Topology;

/** Prints the plan of a race and its progress. */
final class TuneProgress implements RaceProgress, AutoCloseable {
    private static final String WARM_UP = "warm-up";
    private static final String CONFIRMATION = "confirmation";

    private final RunLine out;
    private Experiment part;
    private List<Arm> candidates = List.of();
    private final TimeLeft time = new TimeLeft();
    private Optional<RacePlan> plan = Optional.empty();
    private String place = WARM_UP;
    private int heat;

    TuneProgress(RunLine out, Experiment experiment) {
        this.out = out;
        this.part = experiment;
    }

    void announce(TuneCandidates all, Topology topology) {
        out.println(String.format(
                Locale.ROOT,
                "%s: a race of %s against none, in an order drawn by seed %d, on CPUs %s",
                part.name(),
                Words.count(all.list().size() - 1, "candidate"),
                part.seed(),
                topology.allowedCpuSet()));
        all.list().stream()
                .skip(1)
                .map(one -> one.name() + ": " + one.options()
                        + one.shape()
                                .map(shape -> " (" + shape.size() + ")")
                                .or(() -> one.cpus().map(cpus -> " (CPUs " + cpus + ")"))
                                .orElse(""))
                .forEach(out::println);
        all.dropped().forEach(line -> out.println(line + ", not run"));
    }

    @Override
    public void begins(String stage, Experiment next) {
        part = next;
        place = stage.replace('-', ' ');
        if (stage.equals(WARM_UP)) {
            place = stage;
        } else if (stage.equals(CONFIRMATION)) {
            out.println("confirmation: " + next.arms().get(1).name() + " against none in fresh runs, at most "
                    + next.rounds() + " pairs");
        } else {
            heat++;
            out.println(place + " of "
                    + plan.map(RacePlan::heats).map(List::size).orElse(0) + ": "
                    + Words.count(next.arms().size() - 1, "candidate") + ", "
                    + next.rounds() + " pairs each");
        }
    }

    @Override
    public void planned(RacePlan made, Experiment fit) {
        candidates = fit.arms();
        plan = Optional.of(made);
        out.println("at most " + made.runs() + " more runs, about " + RoughTime.of(later(fit)));
    }

    /** The time after the present heat, if the quickest candidates of a part stay. */
    private Duration later(Experiment of) {
        List<String> quickest = of.arms().stream()
                .skip(1)
                .map(Arm::name)
                .sorted(Comparator.comparingDouble(time::seconds))
                .toList();
        String baseline = of.arms().get(0).name();
        return plan.map(one -> time.of(one.toCome(heat, baseline, quickest))).orElse(Duration.ZERO);
    }

    @Override
    public void passed(ScheduledRun run, Arm arm, Duration duration) {
        time.add(arm.name(), place.equals(WARM_UP), duration);
    }

    @Override
    public void ended(int round, List<Trial> trials, Duration left) {
        boolean fresh = place.equals(CONFIRMATION);
        List<RunningEstimate> all = RunningEstimate.of(part, trials, Optional.empty());
        String estimates = all.stream()
                .map(one -> one.arm() + " "
                        // What a race selects by is biased: an interval would claim too much.
                        + (fresh
                                ? CompareProgress.ratio(one.ratio())
                                : String.format(Locale.ROOT, "%.3f", one.ratio().estimate())))
                .collect(Collectors.joining(", "));
        out.rounds(
                "after round " + round + "/" + part.rounds() + ": ",
                estimates.isEmpty() ? "" : measure(all.get(0)) + " / none: " + estimates,
                "at most ",
                fresh ? left : left.plus(later(part)),
                "");
    }

    private String measure(RunningEstimate one) {
        return one.byMetric() ? metric().map(Metric::name).orElseThrow() : "wall time";
    }

    private Optional<Metric> metric() {
        return part.metrics().stream().findFirst();
    }

    @Override
    public void started(ScheduledRun run, Arm arm, int runs) {
        String round = place.equals(WARM_UP) ? place : place + ", round " + run.round() + "/" + part.rounds();
        out.starts(round, arm.name());
    }

    @Override
    public void noted(String line) {
        out.println("note: " + line);
    }

    @Override
    public void finished(Trial trial) {
        out.ends(
                CompareProgress.end(trial, part),
                trial.outcome() == Trial.Outcome.COMPLETED && trial.notes().isEmpty());
    }

    @Override
    public void ended(Race race) {
        String left = race.running().stream().map(this::name).collect(Collectors.joining(", "));
        String gone = race.standings().stream()
                .filter(one -> one.leftAfter().orElse(0) == race.heat())
                .map(one -> name(one) + (one.failed() ? " failed" : ""))
                .collect(Collectors.joining(", "));
        out.println(place + " is over: " + (left.isEmpty() ? "no candidate" : left) + " in, " + gone + " out");
    }

    private String name(Race.Standing standing) {
        boolean higher =
                metric().filter(one -> one.better() == Metric.Better.HIGHER).isPresent();
        OptionalDouble ratio = standing.estimate().stream()
                .map(cost -> higher ? 1 / cost : cost)
                .findFirst();
        return names().get(standing.candidate())
                + (ratio.isPresent() ? String.format(Locale.ROOT, " (%.3f)", ratio.getAsDouble()) : "");
    }

    private List<String> names() {
        return candidates.stream().skip(1).map(Arm::name).toList();
    }

    @Override
    public void decided(StoppingRule.Decision decision) {
        if (decision.stop()) {
            out.println(decision.reason());
        }
    }

    @Override
    public void close() {
        out.close();
    }
}
