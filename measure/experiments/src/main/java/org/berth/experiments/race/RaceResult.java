package org.berth.experiments.race;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.OtherWork;

/**
 * The result of a race.
 *
 * @param experiment the baseline and the candidates that completed their warm-up
 * @param withdrawn candidates that did not, and so took no part
 * @param baselineCompleted whether the baseline completed its warm-up
 * @param race empty when the baseline did not complete its warm-up, when no candidate did, when the budget is too small for
 *     the shortest race, or when it was stopped before
 * @param confirmation of the winner by fresh runs; empty when there was none
 * @param stopped whether it was interrupted before its end
 * @param secondsOfRun mean of the warm-up's completed runs; NaN without one
 * @param otherWork on the machine during all runs of the race
 * @param directory with a folder for each part
 */
public record RaceResult(
        Experiment experiment,
        List<Arm> withdrawn,
        boolean baselineCompleted,
        Optional<Race> race,
        Optional<ExperimentResult> confirmation,
        boolean stopped,
        double secondsOfRun,
        Optional<OtherWork> otherWork,
        Path directory) {
    public RaceResult {
        withdrawn = List.copyOf(withdrawn);
    }

    /** The arm that won the race; empty before its end, and when all failed. */
    public Optional<Arm> winner() {
        return race.map(Race::winner).filter(OptionalInt::isPresent).map(index -> arm(index.getAsInt()));
    }

    /** The arm of a candidate. */
    public Arm arm(int candidate) {
        return experiment.arms().get(candidate + 1);
    }

    /** The winner compared with the baseline by fresh runs only; the intervals also hold when the race was stopped. */
    public Optional<ArmSummary> confirmed() {
        return confirmation.map(one -> one.summary().arms().get(1));
    }

    /** The verdict about the winner; empty without a confirmation. */
    public Optional<Verdict> verdict() {
        return confirmed().map(one -> one.verdict(Verdict.MARGIN));
    }
}
