package org.berth.experiments.run;

import java.nio.file.Path;
import java.util.Optional;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.RunHooks;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.trial.HookProcess;

/** Runs the commands before and after each run, as {@link RunHooks} say. */
final class HookRunner {
    private static final long STOP_MILLIS = 200;

    private final Experiment experiment;
    private final Progress progress;

    HookRunner(Experiment experiment, Progress progress) {
        this.experiment = experiment;
        this.progress = progress;
    }

    /**
     * Prepares a run.
     *
     * @param log that of the run
     * @throws FailedPreparationException when the command fails
     * @throws InterruptedException when it was interrupted
     */
    void before(ScheduledRun run, Arm arm, Path log) throws FailedPreparationException, InterruptedException {
        Optional<String> failure = run(hooks().prepare(), run, arm, log, "prepare", HookProcess.Stop.ENDS_IT);
        if (failure.isPresent()) {
            // A ^C reaches the command itself, which may end before we are told of it.
            Thread.sleep(STOP_MILLIS);
            throw new FailedPreparationException(failure.get());
        }
    }

    /**
     * Cleans up after a run, also when this thread is interrupted, before or meanwhile; it stays so. A failure is reported, and the experiment
     * goes on.
     *
     * @param log that of the run
     */
    void after(ScheduledRun run, Arm arm, Path log) {
        boolean interrupted = Thread.interrupted();
        try {
            run(hooks().cleanup(), run, arm, log, "cleanup", HookProcess.Stop.WAITS)
                    .ifPresent(progress::noted);
        } catch (InterruptedException again) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private RunHooks hooks() {
        return experiment.conditions().hooks();
    }

    private Optional<String> run(
            Optional<String> command, ScheduledRun run, Arm arm, Path log, String kind, HookProcess.Stop stop)
            throws InterruptedException {
        if (command.isEmpty()) {
            return Optional.empty();
        }
        String name = String.valueOf(log.getFileName());
        Path own = log.resolveSibling(name.substring(0, name.lastIndexOf('.')) + "." + kind + ".log");
        String place = run.warmUp() ? "a warm-up" : "round " + run.round();
        return HookProcess.run(command.get(), RunHooks.environment(run, arm), own, experiment.timeout(), stop)
                .map(reason -> "the " + kind + " command of arm " + arm.name() + " in " + place + " " + reason);
    }
}
