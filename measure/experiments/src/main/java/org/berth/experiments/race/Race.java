package org.berth.experiments.race;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.berth.experiments.statistics.Ratio;

/**
 * The candidates that are still in a race, and how each one compares with the baseline. All pairs that a
 * candidate has run so far count in every heat. Immutable, pure.
 *
 * <p>The winner's numbers in here are not what it will do: of several candidates that are equally good, the luckiest wins
 * (the winner's curse). Only a confirmation by fresh runs tells.
 *
 * @param plan of the heats
 * @param standings of all candidates, in the order in which they were given
 * @param heat how many heats are over
 */
public record Race(RacePlan plan, List<Standing> standings, int heat) {
    /**
     * One candidate.
     *
     * @param candidate its index
     * @param quotients of its runs and the baseline's of the same round, in the order of time
     * @param leftAfter the heat after which it left; empty while it is in the race
     * @param failed whether one of its runs failed, for which it leaves
     */
    public record Standing(int candidate, List<Double> quotients, OptionalInt leftAfter, boolean failed) {
        public Standing {
            quotients = List.copyOf(quotients);
        }

        /** Ratio to the baseline, by Hodges and Lehmann; empty without a pair. */
        public OptionalDouble estimate() {
            double[] numbers =
                    quotients.stream().mapToDouble(Double::doubleValue).toArray();
            return numbers.length == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(Ratio.of(numbers, 0.5).estimate());
        }

        boolean running() {
            return leftAfter.isEmpty();
        }

        Standing leaving(int after) {
            return new Standing(candidate, quotients, OptionalInt.of(after), failed);
        }
    }

    /**
     * What a heat gave for one candidate.
     *
     * @param quotients of the rounds that both it and the baseline completed
     * @param failed whether any of its own runs failed
     */
    public record Outcome(List<Double> quotients, boolean failed) {
        public Outcome {
            quotients = List.copyOf(quotients);
        }
    }

    public Race {
        standings = List.copyOf(standings);
    }

    /** The race before its first heat. */
    public static Race start(RacePlan plan, int candidates) {
        List<Standing> all = new ArrayList<>();
        for (int i = 0; i < candidates; i++) {
            all.add(new Standing(i, List.of(), OptionalInt.empty(), false));
        }
        return new Race(plan, all, 0);
    }

    /** Candidates in the race, best first; those without a pair last, in their order. */
    public List<Standing> running() {
        return standings.stream()
                .filter(Standing::running)
                .sorted(Comparator.comparingDouble(one -> one.estimate().orElse(Double.POSITIVE_INFINITY)))
                .toList();
    }

    /** Whether there is nothing left to run. */
    public boolean over() {
        return heat == plan.heats().size() || running().isEmpty();
    }

    /** Pairs of the next heat; requires that there is one. */
    public int pairs() {
        return plan.heats().get(heat).pairs();
    }

    /** The best candidate so far; empty when none in the race has run a pair. */
    public OptionalInt leader() {
        return running().stream()
                .filter(one -> one.estimate().isPresent())
                .mapToInt(Standing::candidate)
                .findFirst();
    }

    /** The last candidate, which for a single one needs no heat; empty before the end, and when all failed. */
    public OptionalInt winner() {
        return over() ? running().stream().mapToInt(Standing::candidate).findFirst() : OptionalInt.empty();
    }

    /** The race with the outcomes of a heat that was interrupted; no candidate leaves. */
    Race partly(List<Outcome> outcomes) {
        return new Race(plan, added(outcomes), heat);
    }

    /**
     * The race after the next heat. Candidates with a failed run leave, and of the others the worse half; ties are decided by the
     * order of the candidates.
     *
     * @param outcomes of those in the race, in the order of the candidates
     * @throws IllegalArgumentException for another number of outcomes, and when the race is over
     */
    public Race after(List<Outcome> outcomes) {
        List<Standing> next = new ArrayList<>();
        for (Standing one : added(outcomes)) {
            boolean out = one.running() && (one.failed() || one.quotients().isEmpty());
            next.add(out ? one.leaving(heat + 1) : one);
        }
        int staying = plan.heats().get(heat).staying();
        new Race(plan, next, heat + 1)
                .running().stream().skip(staying).forEach(one -> next.set(one.candidate(), one.leaving(heat + 1)));
        return new Race(plan, next, heat + 1);
    }

    private List<Standing> added(List<Outcome> outcomes) {
        List<Standing> ran = standings.stream().filter(Standing::running).toList();
        if (over() || outcomes.size() != ran.size()) {
            throw new IllegalArgumentException(outcomes.size() + " outcomes for " + ran.size() + " candidates");
        }
        List<Standing> all = new ArrayList<>(standings);
        for (int i = 0; i < ran.size(); i++) {
            Standing before = ran.get(i);
            List<Double> quotients = new ArrayList<>(before.quotients());
            quotients.addAll(outcomes.get(i).quotients());
            all.set(
                    before.candidate(),
                    new Standing(
                            before.candidate(),
                            quotients,
                            OptionalInt.empty(),
                            outcomes.get(i).failed()));
        }
        return all;
    }
}
