package org.berth.experiments.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Schedule;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.trial.RunTimeline;
import org.berth.experiments.trial.Timelines;
import org.berth.experiments.trial.TrialRunner;
import org.berth.topology.Topology;

/**
 * Runs an experiment: one fresh process after the other, never two at a time.
 *
 * <p>Interrupting the thread ends the present process with all its children; what was measured so far is returned, and
 * is on disk anyway: each trial is written when it ends. When this JVM is told to exit meanwhile, the children are
 * ended too.
 *
 * <p><b>Thread safety</b>: one thread per runner.
 */
public final class ExperimentRunner {
    /** The file of a folder of results that has a line for each run. */
    public static final String TRIALS = "trials.jsonl";

    private Experiment experiment;
    private final Topology topology;
    private final Path directory;
    private final Progress progress;
    private final Optional<StoppingRule> rule;
    private final Optional<RoundFit> fit;
    private List<RunTimeline> timelines = List.of();
    private Optional<UnwrittenResults> unwritten = Optional.empty();

    /**
     * Runs all rounds of the experiment.
     *
     * @param topology of this machine; tells which migrations of threads left a node
     * @param directory for the results; made when it does not exist, and meant for this experiment alone
     */
    public ExperimentRunner(Experiment experiment, Topology topology, Path directory, Progress progress) {
        this(experiment, topology, directory, progress, Optional.empty());
    }

    /**
     * Prepares a run; nothing is started yet.
     *
     * @param rule that may end the experiment after a round; its maximum of rounds is the experiment's
     */
    public ExperimentRunner(
            Experiment experiment, Topology topology, Path directory, Progress progress, Optional<StoppingRule> rule) {
        this(experiment, topology, directory, progress, rule, Optional.empty());
    }

    /**
     * Prepares a run; nothing is started yet.
     *
     * @param fit that chooses the number of rounds after the warm-ups; not together with a rule
     */
    public ExperimentRunner(
            Experiment experiment,
            Topology topology,
            Path directory,
            Progress progress,
            Optional<StoppingRule> rule,
            Optional<RoundFit> fit) {
        if (rule.isPresent() && fit.isPresent()) {
            throw new IllegalArgumentException("a rule has a number of rounds of its own");
        }
        this.fit = fit;
        this.experiment = experiment;
        this.topology = topology;
        this.directory = directory;
        this.progress = progress;
        this.rule = rule;
    }

    /**
     * Runs everything; takes as long as it takes. A command that fails does not stop the others, unless every warm-up fails. After an
     * interrupt the thread is still interrupted. It stops when the results of a run cannot be written ({@link #unwritten}).
     *
     * @throws FailedPreparationException when the command that prepares a run fails; what was measured before is in the log
     * @throws FailedWarmUpException when every warm-up fails
     * @throws IOException when nothing can be written, before the first run
     */
    public ExperimentResult run() throws IOException {
        Files.createDirectories(directory);
        try (TrialLog log = TrialLog.create(directory.resolve(TRIALS))) {
            log.write(experiment, identity());
            return run(log, experiment.schedule(), Map.of(), new Timelines());
        }
    }

    /**
     * Continues an experiment that was interrupted: runs what is not in its log yet. All must be the same, also the
     * rounds, since who adds some after a look at the others is wrong more often than verdicts say; the order is the
     * one that was drawn then. A rule is asked again after each previous round, and says what it said then.
     *
     * @throws DifferentExperimentException when the log is of another experiment or another machine, or damaged
     * @throws IOException when the log cannot be read or results cannot be written
     */
    public ExperimentResult resume() throws IOException {
        Path file = directory.resolve(TRIALS);
        TrialReader past = TrialReader.read(file);
        past.requireSame(identity());
        experiment = experiment.withSeed(past.seed());
        try (TrialLog log = TrialLog.append(file)) {
            log.writeResumed(experiment);
            Timelines former = new Timelines();
            former.read(directory.resolve(Timelines.FILE)).forEach(progress::noted);
            return run(log, experiment.schedule(), past.ended(directory, experiment), former);
        }
    }

    /** The experiment in the order that {@link #resume} keeps; unchanged where no results in the directory tell one. */
    public static Experiment inOrderOf(Path directory, Experiment experiment) {
        try {
            return experiment.withSeed(
                    TrialReader.read(directory.resolve(TRIALS)).seed());
        } catch (IOException resumingTells) {
            return experiment;
        }
    }

    private Map<String, String> identity() throws IOException {
        Map<String, String> identity = TrialLog.describe(experiment, topology, rule);
        fit.ifPresent(one -> identity.put("rounds", one + ", at most " + experiment.rounds()));
        return identity;
    }

    private ExperimentResult run(TrialLog log, Schedule schedule, Map<Integer, Trial> ended, Timelines threads)
            throws IOException {
        List<Trial> trials = new ArrayList<>();
        TrialRunner runner = new TrialRunner(experiment, topology, threads);
        KernelConditions kernel = new KernelConditions(experiment);
        HookRunner hooks = new HookRunner(experiment, progress);
        TimeLeft time = new TimeLeft();
        try (InterruptOnExit guard = InterruptOnExit.ofThisThread()) {
            boolean decided = false;
            Set<Integer> left = Set.of();
            boolean fitted = fit.isEmpty();
            int round = -1;
            boolean warm = false;
            for (ScheduledRun run : schedule.runs()) {
                if (unwritten.isPresent()) {
                    break;
                }
                if (!warm && !run.warmUp() && !guard.stopped()) {
                    requireWarmUp(trials);
                    warm = true;
                }
                if (!fitted && !run.warmUp() && !guard.stopped()) {
                    experiment = experiment.withRounds(fit.get().rounds(experiment, trials));
                    progress.fitted(experiment.rounds());
                    fitted = true;
                }
                if (fitted && run.round() > experiment.rounds()) {
                    break;
                }
                Optional<StoppingRule.Decision> decision = decision(run, trials);
                decided = decision.filter(StoppingRule.Decision::stop).isPresent();
                if (decided) {
                    break;
                }
                left = decision.map(StoppingRule.Decision::left).orElse(left);
                if (left.contains(run.arm() - 1)) {
                    continue;
                }
                Trial before = ended.get(run.number());
                Arm arm = experiment.arms().get(run.arm());
                if (before != null) {
                    trials.add(before);
                    time.add(
                            arm.name(),
                            run.warmUp(),
                            before.wall().plus(experiment.conditions().coolDown()));
                } else if (!guard.stopped()) {
                    if (run.round() > Math.max(round, 0) && !trials.isEmpty()) {
                        progress.ended(run.round() - 1, trials, time.of(toCome(schedule, run, left)));
                    }
                    round = run.round();
                    long startNanos = System.nanoTime();
                    boolean prepared = prepare(hooks, run);
                    // Also after a preparation that was interrupted: it may have begun something.
                    try {
                        Optional<Trial> trial = prepared ? runOne(runner, kernel, run, schedule) : Optional.empty();
                        if (trial.isPresent()) {
                            trials.add(trial.get());
                            write(log, trial.get(), threads);
                            progress.finished(trial.get());
                        }
                    } finally {
                        guard.cleansUp(experiment.conditions().hooks().cleanup().isPresent());
                        hooks.after(run, arm, output(run));
                        guard.cleansUp(false);
                    }
                    Duration duration = Duration.ofNanos(System.nanoTime() - startNanos);
                    time.add(arm.name(), run.warmUp(), duration);
                    progress.passed(run, arm, duration);
                }
            }
            if (!decided && rule.isPresent() && !guard.stopped() && unwritten.isEmpty()) {
                progress.decided(rule.get().decide(experiment, trials));
            }
        }
        timelines = threads.ofArms(experiment.arms().stream().map(Arm::name).toList());
        boolean stopped = Thread.currentThread().isInterrupted() || unwritten.isPresent();
        return new ExperimentResult(experiment, trials, stopped, directory, rule);
    }

    private void write(TrialLog log, Trial trial, Timelines threads) {
        Path file = directory.resolve(TRIALS);
        try {
            log.write(trial);
            file = directory.resolve(Timelines.FILE);
            // After each run: a runner that is killed cannot write at its end.
            threads.write(file);
        } catch (IOException e) {
            unwritten = Optional.of(new UnwrittenResults(file, e));
        }
    }

    /** A command that never works would fail for hours. */
    private void requireWarmUp(List<Trial> trials) throws FailedWarmUpException {
        boolean allFailed = !trials.isEmpty()
                && trials.stream()
                        .allMatch(trial ->
                                trial.outcome() == Trial.Outcome.FAILED || trial.outcome() == Trial.Outcome.TIMED_OUT);
        if (allFailed) {
            Trial first = trials.get(0);
            String end = first.outcome() == Trial.Outcome.TIMED_OUT
                    ? "took longer than " + experiment.timeout().toMillis() / 1000.0 + " s"
                    : first.exitCode().isPresent()
                            ? "ended with exit code " + first.exitCode().getAsInt()
                            : String.join("; ", first.notes());
            throw new FailedWarmUpException(
                    "every warm-up run failed: that of arm " + first.arm() + " " + end + ", see " + first.log());
        }
    }

    /** The arms of the runs from this one on, without those that have left. */
    private List<String> toCome(Schedule schedule, ScheduledRun next, Set<Integer> left) {
        return schedule.runs().stream()
                .filter(run -> run.number() >= next.number() && run.round() <= experiment.rounds())
                .filter(run -> !left.contains(run.arm() - 1))
                .map(run -> experiment.arms().get(run.arm()).name())
                .toList();
    }

    /** Asked before the first run of a round: a round that has begun is ended. */
    private Optional<StoppingRule.Decision> decision(ScheduledRun next, List<Trial> trials) {
        boolean begins = !next.warmUp()
                && !trials.isEmpty()
                && trials.get(trials.size() - 1).run().round() < next.round();
        Optional<StoppingRule.Decision> decision =
                begins ? rule.map(one -> one.decide(experiment, trials)) : Optional.empty();
        decision.ifPresent(progress::decided);
        return decision;
    }

    /** Is false when it was interrupted. */
    private boolean prepare(HookRunner hooks, ScheduledRun run) throws FailedPreparationException {
        try {
            hooks.before(run, experiment.arms().get(run.arm()), output(run));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Path output(ScheduledRun run) {
        return directory.resolve(logName(run, experiment.arms().get(run.arm())));
    }

    /** Is empty when the pause before it was interrupted. */
    private Optional<Trial> runOne(TrialRunner runner, KernelConditions kernel, ScheduledRun run, Schedule schedule) {
        Arm arm = experiment.arms().get(run.arm());
        Path output = output(run);
        progress.started(run, arm, schedule.runs().size());
        try {
            RunPreparation.before(run, experiment.conditions());
            return Optional.of(kernel.run(arm, () -> runner.run(run, arm, output)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException e) {
            List<String> notes = List.of("could not be prepared: " + e.getMessage());
            return Optional.of(runner.unmeasured(run, arm, Trial.Outcome.FAILED, output, notes));
        }
    }

    /** The results that could not be written, which ended the experiment; the result has them. Same thread as {@link #run}. */
    public Optional<UnwrittenResults> unwritten() {
        return unwritten;
    }

    /**
     * The threads of the last completed run of each arm, as far as any ran, runs before a resume included: also in
     * {@code timelines.jsonl} of the folder. Empty before {@link #run} has returned. Same thread as {@link #run}.
     */
    public List<RunTimeline> timelines() {
        return timelines;
    }

    /** {@code 07-round-2-core.log}; names of arms may hold anything. */
    private static String logName(ScheduledRun run, Arm arm) {
        String round = run.warmUp() ? "warm-up" : "round-" + run.round();
        String name = arm.name().replaceAll("[^A-Za-z0-9._-]", "_");
        return String.format(Locale.ROOT, "%02d-%s-%s.log", run.number(), round, name);
    }
}
