package org.berth.experiments.run;

import java.time.Duration;
import java.util.List;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;

/**
 * How many rounds an experiment has: as many as fit into a time, by the duration of the warm-ups. The number is fixed before the first
 * run that counts, so it has no influence on how often verdicts are wrong.
 *
 * @param time of all runs together, warm-ups included
 * @param least rounds in any case, however long they take; the experiment's own number is the most
 */
public record RoundFit(Duration time, int least) {
    private static final double MILLIS = 1000;

    /** The number of rounds. Pure, so that an experiment that goes on has the number that it had. */
    public int rounds(Experiment experiment, List<Trial> warmUps) {
        double pauses = experiment.conditions().coolDown().toMillis() / MILLIS * warmUps.size();
        double spent = pauses + warmUps.stream().mapToDouble(Trial::wallSeconds).sum();
        double round = spent / Math.max(1, experiment.warmUps());
        double fitting = Math.floor((time.toMillis() / MILLIS - spent) / Math.max(round, 1 / MILLIS));
        return (int) Math.min(experiment.rounds(), Math.max(least, fitting));
    }

    @Override
    public String toString() {
        return "as many as fit into " + time.toSeconds() + " s, at least " + least;
    }
}
