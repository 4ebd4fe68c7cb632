package org.berth.experiments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.berth.experiments.result.StoppingRule;

/**
 * An experiment that a rule was asked about after every round.
 *
 * @param decisions after each round, the last one ended it
 */
public record SequentialRun(List<StoppingRule.Decision> decisions, int rounds) {
    public static SequentialRun of(StoppingRule rule, List<double[]> complete, int from) {
        List<StoppingRule.Decision> decisions = new ArrayList<>();
        for (int rounds = from; ; rounds++) {
            int soFar = rounds;
            StoppingRule.Decision decision = rule.decide(
                    complete.stream().map(one -> Arrays.copyOf(one, soFar)).toList());
            decisions.add(decision);
            if (decision.stop()) {
                return new SequentialRun(decisions, rounds);
            }
        }
    }

    public Verdict.Kind kind(int arm) {
        return decisions.get(decisions.size() - 1).verdicts().get(arm).kind();
    }

    /** Whether any of these arms was called different after any round: an experiment may be stopped there by hand. */
    public boolean everCalledDifferent(int firstArm) {
        return decisions.stream()
                .flatMap(decision -> decision.verdicts().stream().skip(firstArm))
                .anyMatch(verdict -> isDifferent(verdict.kind()));
    }

    static boolean isDifferent(Verdict.Kind kind) {
        return kind == Verdict.Kind.FASTER || kind == Verdict.Kind.SLOWER;
    }
}
