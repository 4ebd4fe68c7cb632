package org.berth.experiments.race;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.SequentialRun;
import org.berth.experiments.Simulation;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.statistics.Ratio;

/**
 * A race whose truth is known.
 *
 * @param winner index of the candidate that was confirmed or not
 * @param verdict of the confirmation
 * @param runs in all, without the warm-up
 * @param biased what the winner's own runs of the race would have said, had they been believed
 */
public record SimulatedRace(int winner, Verdict.Kind verdict, int runs, Verdict.Kind biased) {
    private static final StoppingRule CONFIRMATION =
            RacePlan.of(1, RacePlan.USUAL_SCALE).confirmation();

    /** A race of the usual plan. */
    public static SimulatedRace run(Simulation simulation, double... truths) {
        RacePlan plan = RacePlan.of(truths.length, RacePlan.USUAL_SCALE);
        return run(simulation, plan, CONFIRMATION, truths);
    }

    /**
     * @param rule the plan's, which takes longer to make than a race
     * @param truths of the candidates, ratios to the baseline
     */
    static SimulatedRace run(Simulation simulation, RacePlan plan, StoppingRule rule, double... truths) {
        Race race = Race.start(plan, truths.length);
        int runs = 0;
        while (!race.over()) {
            double[] left = race.running().stream()
                    .mapToInt(Race.Standing::candidate)
                    .sorted()
                    .mapToDouble(candidate -> truths[candidate])
                    .toArray();
            runs += (left.length + 1) * race.pairs();
            List<Race.Outcome> outcomes = new ArrayList<>();
            for (double[] quotients : simulation.experiment(race.pairs(), left)) {
                outcomes.add(new Race.Outcome(Arrays.stream(quotients).boxed().toList(), false));
            }
            race = race.after(outcomes);
        }
        int winner = race.winner().orElseThrow();
        SequentialRun confirmation = SequentialRun.of(
                rule, simulation.experiment(plan.confirmations(), truths[winner]), RacePlan.LEAST_CONFIRMATIONS);
        double[] own = race.standings().get(winner).quotients().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        Verdict.Kind biased = own.length < Ratio.MIN_PAIRS
                ? Verdict.Kind.TOO_FEW_PAIRS
                : Verdict.of(Optional.of(Ratio.of(own, 0.05)), Verdict.MARGIN).kind();
        return new SimulatedRace(winner, confirmation.kind(0), runs + 2 * confirmation.rounds(), biased);
    }

    /** The answer "use it". */
    public boolean helps() {
        return verdict == Verdict.Kind.FASTER;
    }
}
