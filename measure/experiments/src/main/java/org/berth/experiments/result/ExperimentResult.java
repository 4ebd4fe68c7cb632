package org.berth.experiments.result;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;

/**
 * The result of an experiment.
 *
 * @param experiment what was asked for
 * @param trials all runs that began, in the order of time, warm-ups and bad ones included
 * @param stopped whether it was interrupted before its end
 * @param directory where the raw numbers ({@code trials.jsonl}) and the output of every run are
 * @param rule by which it was to end; empty when its rounds were fixed
 */
public record ExperimentResult(
        Experiment experiment, List<Trial> trials, boolean stopped, Path directory, Optional<StoppingRule> rule) {
    public ExperimentResult {
        trials = List.copyOf(trials);
    }

    /** The statistics of the trials; with a rule, with intervals that are corrected for its interim looks. */
    public Summary summary() {
        return rule.map(one -> one.summary(experiment, trials)).orElseGet(() -> Summary.of(experiment, trials));
    }
}
