package org.berth.experiments;

import java.nio.file.Path;
import java.util.List;

/**
 * What an experiment left behind.
 *
 * @param experiment what was asked for
 * @param trials all runs that began, in the order of time, warm-ups and bad ones included
 * @param stopped whether it was interrupted before its end
 * @param directory where the raw numbers ({@code trials.jsonl}) and the output of every run are
 */
public record ExperimentResult(Experiment experiment, List<Trial> trials, boolean stopped, Path directory) {
    public ExperimentResult {
        trials = List.copyOf(trials);
    }

    /** The statistics of the trials. */
    public Summary summary() {
        return Summary.of(experiment, trials);
    }
}
