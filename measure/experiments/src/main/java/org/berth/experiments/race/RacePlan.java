package org.berth.experiments.race;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.Claims;
import org.berth.experiments.result.StoppingRule;

/**
 * How many runs a race of candidates takes: heats of successive halving (Karnin, Koren, Somekh: Almost optimal exploration
 * in multi-armed bandits, ICML 2013; Jamieson, Talwalkar: Non-stochastic best arm identification, AISTATS 2016), in each of which the worse half leaves and the pairs of the survivors are doubled, and a confirmation of the winner by
 * runs that had no part in its choice. Immutable, pure.
 *
 * @param heats in their order; none for a single candidate, which needs no race
 * @param confirmations the maximum of pairs of the winner and the baseline at the end
 */
public record RacePlan(List<Heat> heats, int confirmations) {
    /** The usual scale for {@link #of}: finds 5 % in 9 of 10 races when runs differ by 3 % (docs/background/statistics.md). */
    public static final int USUAL_SCALE = 4;

    /** Beyond this, more runs find nothing that matters. */
    public static final int MOST_SCALE = 15;

    /** The pair from which on the confirmation may end early. */
    static final int LEAST_CONFIRMATIONS = 6;

    /**
     * One heat.
     *
     * @param candidates that run in it, without the baseline
     * @param pairs rounds of all of them and the baseline; even, so that a steady drift cancels out
     */
    public record Heat(int candidates, int pairs) {
        /** How many candidates stay: the better half, and the one in the middle of an odd number. */
        public int staying() {
            return (candidates + 1) / 2;
        }
    }

    public RacePlan {
        heats = List.copyOf(heats);
    }

    /**
     * A plan of a certain thoroughness.
     *
     * @param candidates without the baseline, at least 1
     * @param scale from 1 to {@link #MOST_SCALE}: the last heat has 2 * scale pairs, each one before half of them, at
     *     least 2; the confirmation has at most 4 * scale pairs, at least 6
     * @throws IllegalArgumentException for other numbers
     */
    public static RacePlan of(int candidates, int scale) {
        if (candidates < 1 || scale < 1 || scale > MOST_SCALE) {
            throw new IllegalArgumentException("a race needs at least one candidate and a scale from 1 to " + MOST_SCALE
                    + ", not " + candidates + " and " + scale);
        }
        List<Heat> heats = new ArrayList<>();
        int count = 32 - Integer.numberOfLeadingZeros(candidates - 1);
        int left = candidates;
        for (int i = 0; i < count; i++) {
            // Twice the half: even.
            int pairs = 2 * Math.max(1, scale >> (count - 1 - i));
            Heat heat = new Heat(left, pairs);
            heats.add(heat);
            left = heat.staying();
        }
        return new RacePlan(heats, Math.max(LEAST_CONFIRMATIONS, 4 * scale));
    }

    /**
     * The most thorough plan that takes no more runs, those of a warm-up not counted; empty when even the shortest one
     * takes more.
     */
    public static Optional<RacePlan> within(int candidates, int runs) {
        Optional<RacePlan> best = Optional.empty();
        for (int scale = 1; scale <= MOST_SCALE; scale++) {
            RacePlan plan = of(candidates, scale);
            if (plan.runs() <= runs) {
                best = Optional.of(plan);
            }
        }
        return best;
    }

    /** Runs of all heats, the baseline's included, and of the longest confirmation. */
    public int runs() {
        return heats.stream()
                        .mapToInt(heat -> (heat.candidates() + 1) * heat.pairs())
                        .sum()
                + 2 * confirmations;
    }

    /**
     * The arms of the runs after some heats, if the first of these candidates stay in each.
     *
     * @param heatsOver how many heats are over or run at present
     * @param candidates that are still in the race, the quickest first
     */
    public List<String> toCome(int heatsOver, String baseline, List<String> candidates) {
        List<String> arms = new ArrayList<>();
        for (Heat heat : heats.subList(heatsOver, heats.size())) {
            for (String arm : with(baseline, candidates, heat.candidates())) {
                arms.addAll(Collections.nCopies(heat.pairs(), arm));
            }
        }
        with(baseline, candidates, 1).forEach(arm -> arms.addAll(Collections.nCopies(confirmations, arm)));
        return arms;
    }

    private static List<String> with(String baseline, List<String> candidates, int most) {
        List<String> arms = new ArrayList<>(List.of(baseline));
        arms.addAll(candidates.subList(0, Math.min(most, candidates.size())));
        return arms;
    }

    /** What decides about the winner: fixed before the first run. */
    StoppingRule confirmation() {
        return StoppingRule.of(2, LEAST_CONFIRMATIONS, confirmations, Claims.USUAL);
    }
}
