package org.berth.experiments.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.experiments.Arm;
import org.berth.experiments.Claims;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.Summary.Look;
import org.berth.experiments.result.Summary.Rates;
import org.berth.experiments.statistics.InterimLooks;
import org.berth.experiments.statistics.Ratio;

/**
 * Decides after some rounds whether an arm may leave an experiment: when it is significantly different from the baseline or
 * equivalent within a margin. When all have left, the experiment ends.
 *
 * <p>Checking a 95 % interval after every round and stopping at will is wrong in far more than 5 of 100 experiments. So there are
 * at most five looks, at rounds that are fixed before the first run, and each has an error of its own, such that all looks and all arms
 * together keep 5 % ({@link InterimLooks}, Bonferroni's correction for the arms; the intervals are the repeated confidence
 * intervals of Jennison and Turnbull, Interim analyses: the repeated confidence interval approach, Journal of the Royal
 * Statistical Society B 51, 1989). An arm keeps the verdict of the look at which it left. An experiment that is stopped by hand has the
 * verdicts of its last look, which is what {@link #summary} gives: rounds after it do not count. The boundary assumes that sums
 * of ranks move like a normal random walk; for what that leaves out only {@value #SPENT} of the 0.05 is spent.
 *
 * <p>Why not a confidence sequence, which needs no maximum of rounds (Wang and Ramdas, Anytime-valid t-tests and confidence
 * sequences for Gaussian means with unknown variance, 2024): simulated with 6 to 30 rounds and a tenth of outliers, it found 5 % in 35
 * of 100 experiments where this rule finds it in 85 or more. Error and power: {@code docs/background/statistics.md}, {@code StoppingRuleTest}.
 *
 * <p><b>Thread safety</b>: immutable.
 */
public final class StoppingRule {
    private static final double SPENT = 0.045;

    private final int arms;
    private final List<Integer> rounds;
    private final Claims claims;
    private final List<Rates> rates;

    private StoppingRule(int arms, List<Integer> rounds, Claims claims) {
        this.arms = arms;
        this.rounds = rounds;
        this.claims = claims;
        InterimLooks ofArm = InterimLooks.of(SPENT / claims.family() / (arms - 1), rounds);
        InterimLooks ofEquivalence = InterimLooks.of(2 * SPENT, rounds);
        this.rates = IntStream.range(0, rounds.size())
                .mapToObj(i ->
                        new Rates(ofArm.errors().get(i), ofEquivalence.errors().get(i)))
                .toList();
    }

    /**
     * Whether to continue.
     *
     * @param stop whether the experiment should end now
     * @param reason one line for the user, whatever the answer
     * @param verdicts of all arms but the baseline, in their order, at the last look or the one at which they left; none before the first look
     * @param left the arms that need no more runs, by their place among these verdicts
     */
    public record Decision(boolean stop, String reason, List<Verdict> verdicts, Set<Integer> left) {
        public Decision {
            verdicts = List.copyOf(verdicts);
            left = Set.copyOf(left);
        }
    }

    /**
     * A rule that is fixed before the first run. With several metrics the first one decides. Takes some milliseconds.
     *
     * @param arms of the experiment, the baseline included; at least 2
     * @param minRounds after which it may end, at least {@link Ratio#MIN_PAIRS}
     * @param maxRounds after which it ends in any case, at least the former
     * @throws IllegalArgumentException for other numbers
     */
    public static StoppingRule of(int arms, int minRounds, int maxRounds, Claims claims) {
        if (arms < 2) {
            throw new IllegalArgumentException("nothing is decided with fewer than two arms, not " + arms);
        }
        if (minRounds < Ratio.MIN_PAIRS || maxRounds < minRounds) {
            throw new IllegalArgumentException("the rounds must be at least " + Ratio.MIN_PAIRS
                    + " and the maximum not below the minimum, not " + minRounds + " and " + maxRounds);
        }
        return new StoppingRule(arms, InterimLooks.between(minRounds, maxRounds), claims);
    }

    /**
     * Decides after a round. The order of the trials does not matter; a round that is not complete is counted when
     * it is. An arm that has completed no round together with the baseline at a look is not waited for. Where an unbound arm has a
     * setting of the kernel of its own, no arm leaves before all are decided: they are compared with each other, too. Pure.
     *
     * @param experiment with as many arms as the rule
     * @param trials all that ended so far
     */
    public Decision decide(Experiment experiment, List<Trial> trials) {
        return decision(state(experiment, trials), complete(experiment, trials, Set.of()));
    }

    /** The summary of the looks so far. Pure. */
    public Summary summary(Experiment experiment, List<Trial> trials) {
        State state = state(experiment, trials);
        return Summary.of(experiment, trials, arm -> {
            int place = places(experiment).indexOf(arm);
            int look = place < 0 ? state.last : state.looks.getOrDefault(place, state.last);
            return look < 0 ? Optional.empty() : Optional.of(look(look));
        });
    }

    private State state(Experiment experiment, List<Trial> trials) {
        if (experiment.arms().size() != arms) {
            throw new IllegalArgumentException("the rule is for " + arms + " arms, not "
                    + experiment.arms().size());
        }
        List<String> places = places(experiment);
        Map<Integer, Summary> summaries = new HashMap<>();
        return state(
                (look, left) -> complete(experiment, trials, left) >= rounds.get(look),
                (place, look) -> summaries
                        .computeIfAbsent(look, at -> Summary.of(experiment, trials, arm -> Optional.of(look(at))))
                        .arms()
                        .get(place + 1)
                        .verdict(claims.margin()),
                places.size(),
                !BindVerdict.isAsked(experiment));
    }

    private static List<String> places(Experiment experiment) {
        return experiment.arms().stream().skip(1).map(Arm::name).toList();
    }

    private static int complete(Experiment experiment, List<Trial> trials, Set<Integer> left) {
        Set<String> running = IntStream.range(0, experiment.arms().size())
                .filter(arm -> !left.contains(arm - 1))
                .mapToObj(arm -> experiment.arms().get(arm).name())
                .collect(Collectors.toSet());
        return Rounds.complete(running, trials);
    }

    /**
     * What the looks so far have settled.
     *
     * @param last the last look, -1 before the first one
     * @param looks at which arms left, by their place
     * @param verdicts of all arms, at the look at which they left or at the last one; empty before the first look
     */
    private record State(int last, Map<Integer, Integer> looks, List<Verdict> verdicts) {}

    private State state(
            BiFunction<Integer, Set<Integer>, Boolean> isReached,
            BiFunction<Integer, Integer, Verdict> verdict,
            int compared,
            boolean mayLeave) {
        Map<Integer, Integer> looks = new HashMap<>();
        List<Verdict> verdicts = new ArrayList<>();
        int last = -1;
        for (int look = 0;
                look < rounds.size() && looks.size() < compared && isReached.apply(look, looks.keySet());
                look++) {
            last = look;
            Set<Integer> settled = new HashSet<>();
            for (int place = 0; place < compared; place++) {
                if (looks.containsKey(place)) {
                    continue;
                }
                Verdict now = verdict.apply(place, look);
                if (verdicts.size() > place) {
                    verdicts.set(place, now);
                } else {
                    verdicts.add(now);
                }
                if (isSettled(now)) {
                    settled.add(place);
                }
            }
            if (mayLeave || settled.size() == compared) {
                for (int place : settled) {
                    looks.put(place, look);
                }
            }
        }
        return new State(last, looks, verdicts);
    }

    private Look look(int look) {
        return new Look(rounds.get(look), rates.get(look));
    }

    /** What an arm's interval may miss at the last look. */
    public double errorOfLastLook() {
        return rates.get(rates.size() - 1).ofArm();
    }

    /** The rounds after which there is an interim look. */
    public List<Integer> looks() {
        return rounds;
    }

    /** What is fixed before the first run, in the words that files of earlier experiments hold: they must stay the same. */
    public String plan() {
        return "looked at after rounds " + rounds + ", " + claims;
    }

    /** Quotients of all rounds so far, for each arm but the baseline. */
    public Decision decide(List<double[]> quotients) {
        int complete = quotients.stream().mapToInt(one -> one.length).min().orElse(0);
        State state = state(
                (look, left) -> complete >= rounds.get(look),
                (place, look) -> Verdict.of(
                        Optional.of(Ratio.of(
                                Arrays.copyOf(quotients.get(place), rounds.get(look)),
                                rates.get(look).errors(rates.get(look).ofArm()),
                                Ratio.MIN_PAIRS,
                                0)),
                        claims.margin()),
                quotients.size(),
                true);
        return decision(state, complete);
    }

    private Decision decision(State state, int complete) {
        Set<Integer> left = state.looks.keySet();
        if (left.size() == arms - 1) {
            return new Decision(
                    true, "every arm is decided after " + rounds.get(state.last) + " rounds", state.verdicts, left);
        }
        if (state.last == rounds.size() - 1) {
            long decided =
                    state.verdicts.stream().filter(one -> one.kind().decided()).count();
            String reason = "reached the maximum of " + rounds.get(state.last) + " rounds; " + of(decided) + " decided";
            return new Decision(true, reason, state.verdicts, left);
        }
        String reason = state.last >= 0 && complete <= rounds.get(state.last)
                ? of(arms - 1L - left.size()) + " still open after " + rounds.get(state.last) + " rounds"
                : "the next look is after " + rounds.get(state.last + 1) + " rounds";
        return new Decision(false, reason, state.verdicts, left);
    }

    private static boolean isSettled(Verdict verdict) {
        return verdict.kind().decided() || verdict.kind() == Verdict.Kind.NOTHING_TO_COMPARE;
    }

    private String of(long some) {
        return some + " of " + (arms - 1) + (arms == 2 ? " arm" : " arms");
    }
}
