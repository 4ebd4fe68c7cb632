package org.berth.cli.compare;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ExperimentResult;

/** The numbers of {@code --metric} that no run printed: a verdict on the wall time would be taken for one on them. */
public final class UnprintedMetrics {
    private UnprintedMetrics() {}

    /** A sentence about those that no completed run printed, if there are any. */
    public static Optional<String> sentence(ExperimentResult result) {
        List<Trial> completed = result.trials().stream()
                .filter(trial -> trial.outcome() == Trial.Outcome.COMPLETED)
                .toList();
        List<Metric> missing = result.experiment().metrics().stream()
                .filter(metric -> completed.stream()
                        .allMatch(trial -> trial.metric(metric.name()).isEmpty()))
                .toList();
        if (completed.isEmpty() || missing.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("NOT DECIDED: no run printed "
                + missing.stream()
                        .map(metric -> metric.name() + " ('" + metric.pattern() + "')")
                        .collect(Collectors.joining(", "))
                + "; compare --metric with the output of a run, such as "
                + completed.get(completed.size() - 1).log());
    }
}
