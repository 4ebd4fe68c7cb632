package org.berth.cli.tune;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.berth.cli.compare.output.CompareProgress;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.race.Race;
import org.berth.experiments.race.RacePlan;
import org.berth.experiments.race.RaceProgress;
import org.berth.experiments.result.StoppingRule;
import org.berth.text.Words;
import org.berth.topology.Topology;

/** Prints the plan of a race and its progress, one line for each run. */
final class TuneProgress implements RaceProgress {
    private final PrintWriter out;
    private Experiment part;
    private List<Arm> candidates = List.of();
    private String place = "";
    private int heats;

    TuneProgress(PrintWriter out, Experiment experiment) {
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
        out.flush();
    }

    @Override
    public void begins(String stage, Experiment next) {
        part = next;
        place = stage.replace('-', ' ');
        if (stage.equals("warm-up")) {
            place = stage;
        } else if (stage.equals("confirmation")) {
            out.println("confirmation: " + next.arms().get(1).name() + " against none in fresh runs, at most "
                    + next.rounds() + " pairs");
        } else {
            out.println(place + " of " + heats + ": " + Words.count(next.arms().size() - 1, "candidate") + ", "
                    + next.rounds() + " pairs each");
        }
        out.flush();
    }

    @Override
    public void planned(RacePlan plan, Experiment fit, double secondsOfRun) {
        candidates = fit.arms();
        heats = plan.heats().size();
        out.println(String.format(
                Locale.ROOT, "at most %d more runs, about %.0f s", plan.runs(), Math.ceil(plan.runs() * secondsOfRun)));
        out.flush();
    }

    @Override
    public void started(ScheduledRun run, Arm arm, int runs) {
        String round = place.equals("warm-up") ? place : place + ", round " + run.round() + "/" + part.rounds();
        out.print(String.format(Locale.ROOT, "%-12s %-6s ", round, arm.name()));
        out.flush();
    }

    @Override
    public void noted(String line) {
        out.println("note: " + line);
    }

    @Override
    public void finished(Trial trial) {
        out.println(CompareProgress.end(trial, part));
        out.flush();
    }

    @Override
    public void ended(Race race) {
        String left = race.running().stream().map(this::name).collect(Collectors.joining(", "));
        String gone = race.standings().stream()
                .filter(one -> one.leftAfter().orElse(0) == race.heat())
                .map(one -> name(one) + (one.failed() ? " failed" : ""))
                .collect(Collectors.joining(", "));
        out.println(place + " is over: " + (left.isEmpty() ? "no candidate" : left) + " in, " + gone + " out");
        out.flush();
    }

    private String name(Race.Standing standing) {
        OptionalDouble ratio = standing.estimate();
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
            out.flush();
        }
    }
}
