package org.berth.experiments.race;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.OtherWork;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.result.Summary;
import org.berth.experiments.run.DifferentExperimentException;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.experiments.run.UnwrittenResults;
import org.berth.topology.Topology;

/**
 * Runs a race: a warm-up of all arms, the heats of a {@link RacePlan}, and the confirmation of the winner. Each of them is
 * an experiment of its own, in a folder of its own ({@code warm-up}, {@code heat-1}, …, {@code confirmation}), with the
 * same files as any other. Interrupting the thread works as for {@link ExperimentRunner}.
 *
 * <p><b>Thread safety</b>: one thread per runner.
 */
public final class RaceRunner {
    /** The folder of the runs that do not count. */
    public static final String WARM_UP = "warm-up";

    private final Experiment experiment;
    private final RaceBudget budget;
    private final Topology topology;
    private final Path directory;
    private final RaceProgress progress;
    private boolean resuming;
    private final List<Trial> all = new ArrayList<>();
    private Optional<UnwrittenResults> unwritten = Optional.empty();

    /**
     * A race that has not begun.
     *
     * @param experiment the first arm is the baseline, which never leaves; its number of rounds is ignored
     * @param directory for the results; made when it does not exist, and meant for this race alone
     */
    public RaceRunner(
            Experiment experiment, RaceBudget budget, Topology topology, Path directory, RaceProgress progress) {
        this.experiment = experiment;
        this.budget = budget;
        this.topology = topology;
        this.directory = directory;
        this.progress = progress;
    }

    /**
     * Runs everything; takes as long as it takes. After an interrupt the thread is still interrupted.
     *
     * @throws IOException when nothing can be written, before the first run of a part
     */
    public RaceResult run() throws IOException {
        ExperimentResult warmUp = run(WARM_UP, experiment.withRounds(1), Optional.empty());
        Set<String> completed =
                warmUp.trials().stream().filter(Trial::counts).map(Trial::arm).collect(Collectors.toSet());
        double seconds = warmUp.trials().stream()
                .filter(Trial::counts)
                .mapToDouble(Trial::wallSeconds)
                .average()
                .orElse(Double.NaN);
        List<Arm> withdrawn = experiment.arms().stream()
                .skip(1)
                .filter(arm -> !completed.contains(arm.name()))
                .toList();
        Arm baseline = experiment.arms().get(0);
        Experiment fit = experiment.withArms(experiment.arms().stream()
                .filter(arm -> !withdrawn.contains(arm))
                .toList());
        int candidates = fit.arms().size() - 1;
        boolean baselineCompleted = completed.contains(baseline.name());
        Optional<RacePlan> plan = warmUp.stopped() || candidates == 0 || !baselineCompleted
                ? Optional.empty()
                : budget.plan(candidates, warmUp.trials().size(), seconds);
        if (plan.isEmpty()) {
            return new RaceResult(
                    fit,
                    withdrawn,
                    baselineCompleted,
                    Optional.empty(),
                    Optional.empty(),
                    warmUp.stopped(),
                    seconds,
                    OtherWork.of(all),
                    directory);
        }
        progress.planned(plan.get(), fit);
        Race race = race(fit, Race.start(plan.get(), candidates));
        Optional<ExperimentResult> confirmation = race.winner().isPresent() && !stopped()
                ? Optional.of(confirm(fit, race, race.winner().getAsInt()))
                : Optional.empty();
        return new RaceResult(
                fit,
                withdrawn,
                true,
                Optional.of(race),
                confirmation,
                stopped(),
                seconds,
                OtherWork.of(all),
                directory);
    }

    private boolean stopped() {
        return Thread.currentThread().isInterrupted() || unwritten.isPresent();
    }

    /** The results that could not be written, which ended the race. Same thread as {@link #run}. */
    public Optional<UnwrittenResults> unwritten() {
        return unwritten;
    }

    /**
     * Continues a race that was interrupted: parts that have ended are read, and of the present one what is not on disk
     * is run. The parts follow from each other, so the race is the one that it would have been.
     *
     * @throws DifferentExperimentException when what is in the folder is another race, or of another machine
     * @throws IOException when the log cannot be read or results cannot be written
     */
    public RaceResult resume() throws IOException {
        resuming = true;
        return run();
    }

    /** Confirms by fresh runs: the runs of the heats selected the winner, so they are biased in its favour. */
    private ExperimentResult confirm(Experiment fit, Race race, int winner) throws IOException {
        return run(
                "confirmation",
                fit.withArms(List.of(fit.arms().get(0), fit.arms().get(winner + 1)))
                        .withRounds(race.plan().confirmations()),
                Optional.of(race.plan().confirmation()));
    }

    private Race race(Experiment fit, Race start) throws IOException {
        Race race = start;
        while (!race.over()) {
            List<Integer> running = race.running().stream()
                    .map(Race.Standing::candidate)
                    .sorted()
                    .toList();
            List<Arm> arms = new ArrayList<>(List.of(fit.arms().get(0)));
            running.forEach(candidate -> arms.add(fit.arms().get(candidate + 1)));
            ExperimentResult heat =
                    run("heat-" + (race.heat() + 1), fit.withArms(arms).withRounds(race.pairs()), Optional.empty());
            List<Race.Outcome> outcomes = arms.stream()
                    .skip(1)
                    .map(arm -> outcome(arm.name(), arms.get(0).name(), heat.trials()))
                    .toList();
            if (heat.stopped()) {
                return race.partly(outcomes);
            }
            race = race.after(outcomes);
            progress.ended(race);
        }
        return race;
    }

    private Race.Outcome outcome(String arm, String baseline, List<Trial> trials) {
        Function<Trial, OptionalDouble> value = experiment.metrics().stream()
                .findFirst()
                .map(RaceRunner::lowerIsBetter)
                .orElse(trial -> OptionalDouble.of(trial.wallSeconds()));
        boolean failed = trials.stream()
                .anyMatch(trial -> trial.arm().equals(arm)
                        && (trial.outcome() == Trial.Outcome.FAILED || trial.outcome() == Trial.Outcome.TIMED_OUT));
        List<Double> quotients = Arrays.stream(Summary.quotients(arm, baseline, trials, value))
                .boxed()
                .toList();
        return new Race.Outcome(quotients, failed);
    }

    /** A race compares what should be low: of a throughput, the time for one of its units. */
    private static Function<Trial, OptionalDouble> lowerIsBetter(Metric metric) {
        return trial -> {
            OptionalDouble printed = trial.metric(metric.name());
            return metric.better() == Metric.Better.LOWER || printed.isEmpty()
                    ? printed
                    : OptionalDouble.of(1 / printed.getAsDouble());
        };
    }

    private ExperimentResult run(String stage, Experiment part, Optional<StoppingRule> rule) throws IOException {
        Experiment warm = part.withWarmUps(0);
        progress.begins(stage, warm);
        Path folder = directory.resolve(stage);
        ExperimentRunner runner = new ExperimentRunner(warm, topology, folder, progress, rule);
        ExperimentResult result =
                resuming && Files.exists(folder.resolve(ExperimentRunner.TRIALS)) ? runner.resume() : runner.run();
        all.addAll(result.trials());
        unwritten = runner.unwritten();
        return result;
    }
}
