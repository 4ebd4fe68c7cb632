package org.berth.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.topology.Topology;

/**
 * Runs an experiment: one fresh process after the other, never two at a time.
 *
 * <p>Interrupting the thread ends the present process with all its children; what was measured so far is returned, and
 * is on disk anyway: each trial is written when it ends. When this JVM is told to exit meanwhile, the children are ended
 * too.
 *
 * <p><b>Thread safety</b>: one thread per runner.
 */
public final class ExperimentRunner {
    private final Experiment experiment;
    private final Topology topology;
    private final Path directory;
    private final Progress progress;
    private List<RunTimeline> timelines = List.of();

    /**
     * @param topology of this machine; says which moves of threads left a node
     * @param directory for the results; made when it does not exist, and meant for this experiment alone
     */
    public ExperimentRunner(Experiment experiment, Topology topology, Path directory, Progress progress) {
        this.experiment = experiment;
        this.topology = topology;
        this.directory = directory;
        this.progress = progress;
    }

    /**
     * Runs everything; takes as long as it takes. A command that fails does not stop the others. After an interrupt the
     * thread is still interrupted.
     *
     * @throws IOException when results cannot be written
     */
    public ExperimentResult run() throws IOException {
        Files.createDirectories(directory);
        Schedule schedule = experiment.schedule();
        TrialRunner runner = new TrialRunner(experiment, topology);
        List<Trial> trials = new ArrayList<>();
        try (TrialLog log = TrialLog.create(directory.resolve("trials.jsonl"));
                ExitGuard guard = ExitGuard.ofThisThread()) {
            log.write(experiment, schedule);
            for (Turn turn : schedule.turns()) {
                if (guard.stopped()) {
                    break;
                }
                Arm arm = experiment.arms().get(turn.arm());
                progress.started(turn, arm, schedule.turns().size());
                Trial trial = runner.run(turn, arm, directory.resolve(logName(turn, arm)));
                trials.add(trial);
                log.write(trial);
                progress.finished(trial);
            }
        }
        runner.timelines().write(directory.resolve(Timelines.FILE));
        timelines = runner.timelines().all();
        boolean stopped = Thread.currentThread().isInterrupted();
        return new ExperimentResult(experiment, trials, stopped, directory);
    }

    /**
     * The threads of the last completed run of each arm, as far as any ran: also in {@code timelines.jsonl} of the folder.
     * Empty before {@link #run} has returned. Same thread as {@link #run}.
     */
    public List<RunTimeline> timelines() {
        return timelines;
    }

    /** {@code 07-round-2-core.log}; names of arms may hold anything. */
    private static String logName(Turn turn, Arm arm) {
        String round = turn.warmUp() ? "warm-up" : "round-" + turn.round();
        String name = arm.name().replaceAll("[^A-Za-z0-9._-]", "_");
        return String.format(Locale.ROOT, "%02d-%s-%s.log", turn.number(), round, name);
    }
}
