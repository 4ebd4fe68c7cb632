package org.berth.cli.compare.arms;

import java.util.function.UnaryOperator;
import org.berth.experiments.Experiment;

/** An experiment that is ready to run, with its arms and the folder for its results. */
public record PreparedComparison(Experiment experiment, CompareArms arms, CompareFolder folder) {
    public PreparedComparison with(UnaryOperator<Experiment> change) {
        return new PreparedComparison(change.apply(experiment), arms, folder);
    }
}
