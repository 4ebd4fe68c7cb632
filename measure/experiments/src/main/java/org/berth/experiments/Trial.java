package org.berth.experiments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One run of one arm, good or bad.
 *
 * @param run its position in the order
 * @param arm name of the arm
 * @param outcome how it ended
 * @param exitCode of the command; empty when it was ended from here or never started
 * @param wall from just before the process was started until it ended
 * @param metrics the numbers that the work printed, by the names of {@link Experiment#metrics}; without those that it did
 *     not print
 * @param steps between those numbers and the next ones that the work could have printed; without those whose text does not tell
 * @param sampling what its threads did
 * @param resources what it used in addition to time
 * @param othersShare of the CPU time of all CPUs during the run, what other work used or the hypervisor took; NaN when
 *     unknown
 * @param log where its output is
 * @param notes what a reader should know, one line each
 */
public record Trial(
        ScheduledRun run,
        String arm,
        Outcome outcome,
        OptionalInt exitCode,
        Duration wall,
        Map<String, Double> metrics,
        Map<String, Double> steps,
        SamplingSummary sampling,
        ResourceUsage resources,
        double othersShare,
        Path log,
        List<String> notes) {

    /** How a run ended. */
    public enum Outcome {
        /** Exit code 0: only these runs are compared. */
        COMPLETED,
        /** Another exit code, or the command could not be started. */
        FAILED,
        /** Ended by the experiment because it took too long. */
        TIMED_OUT,
        /** Ended because the experiment was stopped. */
        STOPPED
    }

    public Trial {
        metrics = Map.copyOf(metrics);
        steps = Map.copyOf(steps);
        notes = List.copyOf(notes);
    }

    /** A run whose numbers are as exact as they are. */
    public Trial(
            ScheduledRun run,
            String arm,
            Outcome outcome,
            OptionalInt exitCode,
            Duration wall,
            Map<String, Double> metrics,
            SamplingSummary sampling,
            ResourceUsage resources,
            double othersShare,
            Path log,
            List<String> notes) {
        this(run, arm, outcome, exitCode, wall, metrics, Map.of(), sampling, resources, othersShare, log, notes);
    }

    /** Whether it is compared. */
    public boolean counts() {
        return outcome == Outcome.COMPLETED && !run.warmUp();
    }

    /** The same run, which does not count for the reason that the notes now hold; one that was stopped stays so. */
    public Trial spoiled(List<String> newNotes) {
        Outcome changed = outcome == Outcome.COMPLETED ? Outcome.FAILED : outcome;
        return new Trial(
                run, arm, changed, exitCode, wall, metrics, steps, sampling, resources, othersShare, log, newNotes);
    }

    /** A number that the work printed, by its name. */
    public OptionalDouble metric(String name) {
        Double value = metrics.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The step of such a number; 0 when it is not known. */
    public double step(String name) {
        return steps.getOrDefault(name, 0.0);
    }

    /** Wall time as a number. */
    public double wallSeconds() {
        return wall.toNanos() / 1e9;
    }
}
