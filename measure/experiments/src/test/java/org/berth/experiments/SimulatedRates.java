package org.berth.experiments;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.berth.experiments.Simulation.Noise;
import org.berth.experiments.race.SimulatedRace;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.result.Summary;
import org.berth.experiments.run.RoundFit;

/** What comparisons, studies and races promise, and how often what they say is wrong or right: a list of numbers to simulate. */
final class SimulatedRates {
    private static final int[] PAIRS = {5, 6, 8, 12, 20};
    private static final int USUAL = 12;
    private static final double STATED = 0.05;
    private static final StoppingRule ONE = StoppingRule.of(2, 6, 30, Claims.USUAL);
    private static final StoppingRule THREE = StoppingRule.of(4, 6, 30, Claims.USUAL);

    /**
     * The mean of one thing over many experiments.
     *
     * @param stated what it may be at most; 1 where nothing is promised
     * @param percent whether it is a share
     * @param of an experiment with this seed
     */
    record Rate(String table, String row, String column, double stated, boolean percent, ToDoubleFunction<Long> of) {}

    private final List<Rate> rates = new ArrayList<>();

    private SimulatedRates() {}

    static List<Rate> all() {
        SimulatedRates all = new SimulatedRates();
        all.twoArms("Equal arms that are called different, in %", 1, STATED);
        all.twoArms("An arm that is 5 % slower is found, in %", 1.05, 1);
        all.severalArms();
        all.fittedRounds();
        all.manyNumbers();
        all.rounding();
        all.failures();
        all.untilDecided();
        all.studies();
        all.sameness();
        all.kernel();
        all.races();
        return List.copyOf(all.rates);
    }

    private void add(String table, String row, String column, double stated, ToDoubleFunction<Long> of) {
        rates.add(new Rate(table, row, column, stated, true, of));
    }

    private void twoArms(String table, double truth, double stated) {
        for (Noise noise : Noise.values()) {
            twoArms(table, noise, 0.03, truth, stated);
        }
        twoArms(table, Noise.NORMAL, 0.1, truth, stated);
        twoArms(table, Noise.NORMAL, 0.35, truth, stated);
    }

    private void twoArms(String table, Noise noise, double deviation, double truth, double stated) {
        String row = name(noise) + (deviation == 0.03 ? "" : ", " + Math.round(100 * deviation) + " %");
        for (int pairs : PAIRS) {
            add(
                    table,
                    row,
                    pairs + " pairs",
                    stated,
                    seed -> share(SimulatedComparison.PLAIN
                            .summary(new Simulation(seed, noise, deviation), pairs, Claims.USUAL, truth)
                            .verdicts()
                            .get(0)
                            .isDifference()));
        }
        add(table, row, "benchstat, 12", 1, seed -> {
            double[][] logs = new Simulation(seed, noise, deviation).logs(USUAL, false, truth);
            return share(OtherMethods.benchstat(logs[0], logs[1]));
        });
        add(table, row, "hyperfine, 12", 1, seed -> {
            double[][] logs = new Simulation(seed, noise, deviation).logs(USUAL, false, truth);
            return share(OtherMethods.welch(times(logs[0]), times(logs[1])));
        });
        add(table, row, "Welch in drawn order, 12", 1, seed -> {
            double[][] logs = new Simulation(seed, noise, deviation).logs(USUAL, true, truth);
            return share(OtherMethods.welch(times(logs[0]), times(logs[1])));
        });
    }

    private void severalArms() {
        String table =
                "Several arms, 12 pairs: any equal one is called different, or the last one, 5 % slower, is found, in %";
        for (Noise noise : List.of(Noise.NORMAL, Noise.OUTLIERS, Noise.DRIFT, Noise.CORRELATED, Noise.PERIODIC)) {
            for (int arms : new int[] {2, 4, 8}) {
                add(
                        table,
                        name(noise),
                        arms + " arms: wrong",
                        STATED,
                        seed -> share(SimulatedComparison.PLAIN
                                .summary(new Simulation(seed, noise, 0.03), USUAL, Claims.USUAL, truths(arms - 1, 1))
                                .verdicts()
                                .stream()
                                .anyMatch(Verdict::isDifference)));
                add(
                        table,
                        name(noise),
                        arms + " arms: found",
                        1,
                        seed -> share(last(SimulatedComparison.PLAIN.summary(
                                        new Simulation(seed, noise, 0.03), USUAL, Claims.USUAL, truths(arms - 1, 1.05)))
                                .isDifference()));
            }
        }
    }

    /** The fewest rounds that compare runs by default, and a number of them that the warm-ups choose. */
    private void fittedRounds() {
        String table = "5 pairs, or 5 to 12 by the warm-ups: any equal arm is called different, in %";
        RoundFit fit = new RoundFit(Duration.ofMinutes(4), 5);
        for (Noise noise : Noise.values()) {
            for (int arms : new int[] {2, 4}) {
                add(
                        table,
                        name(noise),
                        arms + " arms: 5",
                        STATED,
                        seed -> share(SimulatedComparison.PLAIN
                                .summary(new Simulation(seed, noise, 0.03), 5, Claims.USUAL, truths(arms - 1, 1))
                                .verdicts()
                                .stream()
                                .anyMatch(Verdict::isDifference)));
                // Four minutes are 8 rounds of two arms, or 4 of four arms.
                RoundFit own = new RoundFit(fit.time().multipliedBy(arms / 2), fit.least());
                add(
                        table,
                        name(noise),
                        arms + " arms: 5 to 12",
                        STATED,
                        seed -> share(SimulatedComparison.PLAIN
                                .fitted(new Simulation(seed, noise, 0.03), own, USUAL, truths(arms - 1, 1))
                                .verdicts()
                                .stream()
                                .anyMatch(Verdict::isDifference)));
            }
        }
    }

    private void manyNumbers() {
        String table = "Many numbers, 12 pairs, 3 %: equal ones are called different, and 5 % are found, in %";
        for (int numbers : new int[] {2, 6, 18}) {
            for (double common : numbers == 2 ? new double[] {0} : new double[] {0, 0.7, 0.95}) {
                String row =
                        numbers + " numbers" + (numbers == 2 ? "" : ", " + Math.round(100 * common) + " % in common");
                SimulatedComparison equal = new SimulatedComparison(15, 0, numbers, common, 0, 0);
                SimulatedComparison slower = new SimulatedComparison(15, 0, numbers, common, Math.log(1.05), 0);
                add(
                        table,
                        row,
                        "the verdict's: wrong",
                        STATED,
                        seed -> share(differs(
                                equal.summary(new Simulation(seed, Noise.NORMAL, 0.03), USUAL, Claims.USUAL, 1),
                                0,
                                1)));
                add(
                        table,
                        row,
                        "any other: wrong",
                        STATED,
                        seed -> share(differs(
                                equal.summary(new Simulation(seed, Noise.NORMAL, 0.03), USUAL, Claims.USUAL, 1),
                                1,
                                numbers)));
                add(
                        table,
                        row,
                        "the verdict's: found",
                        1,
                        seed -> share(differs(
                                slower.summary(new Simulation(seed, Noise.NORMAL, 0.03), USUAL, Claims.USUAL, 1.05),
                                0,
                                1)));
                add(
                        table,
                        row,
                        "the last: found",
                        1,
                        seed -> share(differs(
                                slower.summary(new Simulation(seed, Noise.NORMAL, 0.03), USUAL, Claims.USUAL, 1),
                                numbers - 1,
                                numbers)));
            }
        }
    }

    private static boolean differs(Summary summary, int from, int to) {
        ArmSummary arm = summary.arms().get(1);
        return arm.metrics().subList(from, to).stream()
                .anyMatch(one -> arm.verdict(one, Verdict.MARGIN).isDifference());
    }

    private void rounding() {
        String table =
                "Rounded numbers: the same within 2 % is claimed of arms that are not, or the interval misses the truth, in %";
        for (double[] one : new double[][] {
            {12, 1, 0.005, 1.03}, {12, 1, 0.005, 1.05}, {0.31, 0.01, 0.005, 1.03}, {0.2, 0.01, 0.003, 1.024}
        }) {
            SimulatedComparison rounded = new SimulatedComparison(one[0], one[1], 1, 0, 0, 0);
            String row = one[0] + " s in steps of " + one[1] + " s, noise " + 100 * one[2] + " %, truth " + one[3];
            for (int pairs : new int[] {5, 6, 12, 20}) {
                ToDoubleFunction<Long> same = seed ->
                        share(rounded.summary(new Simulation(seed, Noise.NORMAL, one[2]), pairs, Claims.USUAL, one[3])
                                        .verdicts()
                                        .get(0)
                                        .kind()
                                == Verdict.Kind.EQUIVALENT);
                add(table, row, pairs + " pairs: the same", STATED, same);
                add(table, row, pairs + " pairs: missed", STATED, seed -> {
                    var interval = rounded.summary(
                                    new Simulation(seed, Noise.NORMAL, one[2]), pairs, Claims.USUAL, one[3])
                            .arms()
                            .get(1)
                            .metricRatio()
                            .orElseThrow()
                            .interval()
                            .orElseThrow();
                    return share(interval.low() > one[3] || interval.high() < one[3]);
                });
            }
        }
    }

    private void failures() {
        String table = "An arm that fails in 30 % of its runs is called faster or the same, in %";
        for (double truth : new double[] {0.95, 1}) {
            for (int pairs : new int[] {8, 12, 20}) {
                add(
                        table,
                        truth == 1 ? "equal when it completes" : "5 % faster when it completes",
                        pairs + " pairs",
                        Math.pow(0.7, pairs),
                        seed -> {
                            Verdict verdict = new SimulatedComparison(15, 0, 0, 0, 0, 0.3)
                                    .summary(new Simulation(seed, Noise.NORMAL, 0.01), pairs, Claims.USUAL, truth)
                                    .verdicts()
                                    .get(0);
                            return share(
                                    verdict.kind() == Verdict.Kind.FASTER || verdict.kind() == Verdict.Kind.EQUIVALENT);
                        });
            }
        }
    }

    private void untilDecided() {
        String table = "Until decided, 6 to 30 rounds: shares in %, and rounds of the arm";
        for (int arms : new int[] {1, 3}) {
            StoppingRule rule = arms == 1 ? ONE : THREE;
            for (Noise noise : Noise.values()) {
                boolean both = noise == Noise.NORMAL || noise == Noise.OUTLIERS;
                for (double deviation : both ? new double[] {0.015, 0.03} : new double[] {0.03}) {
                    String row =
                            arms + (arms == 1 ? " arm, " : " arms, ") + name(noise) + ", " + 100 * deviation + " %";
                    add(
                            table,
                            row,
                            "equal: ever wrong",
                            STATED,
                            seed -> share(decision(rule, seed, noise, deviation, truths(arms, 1)).verdicts().stream()
                                    .anyMatch(Verdict::isDifference)));
                    add(
                            table,
                            row,
                            "the same",
                            1,
                            seed -> share(decision(rule, seed, noise, deviation, truths(arms, 1))
                                            .verdicts()
                                            .get(0)
                                            .kind()
                                    == Verdict.Kind.EQUIVALENT));
                    rounds(table, row, "rounds", rule, noise, deviation, 1);
                    add(
                            table,
                            row,
                            "3 % slower: found",
                            1,
                            seed -> share(last(decision(rule, seed, noise, deviation, truths(arms, 1.03)))
                                    .isDifference()));
                    add(
                            table,
                            row,
                            "5 % slower: found",
                            1,
                            seed -> share(last(decision(rule, seed, noise, deviation, truths(arms, 1.05)))
                                    .isDifference()));
                    rounds(table, row, "rounds then", rule, noise, deviation, 1.05);
                }
            }
        }
        add(
                table,
                "1 arm, of 30 rounds, stopped by hand after any, log-normal, 3.0 %",
                "equal: ever wrong",
                STATED,
                seed -> {
                    Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
                    Experiment experiment = SimulatedComparison.experiment(2, 30, 0);
                    List<Trial> trials = SimulatedComparison.PLAIN.trials(simulation, 30, 1);
                    boolean ever = false;
                    for (int rounds = 5; rounds <= 30; rounds++) {
                        int seen = rounds;
                        ever |= Summary.of(
                                        experiment,
                                        trials.stream()
                                                .filter(one -> one.run().round() <= seen)
                                                .toList())
                                .verdicts()
                                .get(0)
                                .isDifference();
                    }
                    return share(ever);
                });
    }

    private void rounds(
            String table, String row, String column, StoppingRule rule, Noise noise, double deviation, double truth) {
        int arms = rule == ONE ? 1 : 3;
        rates.add(new Rate(
                table,
                row,
                column,
                Double.MAX_VALUE,
                false,
                seed -> last(decision(rule, seed, noise, deviation, truths(arms, truth)))
                        .pairs()));
    }

    private static StoppingRule.Decision decision(
            StoppingRule rule, long seed, Noise noise, double deviation, double... truths) {
        return rule.decide(new Simulation(seed, noise, deviation).experiment(30, truths));
    }

    private void studies() {
        String table =
                "Studies of 3 arms and 12 pairs, 3 %: any equal arm is called different, or one that is 5 % slower in one part is found, in %";
        for (int parts : new int[] {1, 4, 10, 20}) {
            Claims claims = Claims.USUAL.withFamily(parts);
            add(table, parts + (parts == 1 ? " comparison" : " comparisons"), "wrong", STATED, seed -> {
                Simulation simulation = new Simulation(seed, Noise.NORMAL, 0.03);
                boolean wrong = false;
                for (int part = 0; part < parts; part++) {
                    wrong |= SimulatedComparison.PLAIN.summary(simulation, USUAL, claims, 1, 1).verdicts().stream()
                            .anyMatch(Verdict::isDifference);
                }
                return share(wrong);
            });
            add(
                    table,
                    parts + (parts == 1 ? " comparison" : " comparisons"),
                    "found",
                    1,
                    seed -> share(last(SimulatedComparison.PLAIN.summary(
                                    new Simulation(seed, Noise.NORMAL, 0.03), USUAL, claims, 1, 1.05))
                            .isDifference()));
        }
    }

    private void sameness() {
        String table = "The same within 2 % is claimed of an arm that is 2 % slower, and of an equal one, in %";
        for (double[] one : new double[][] {
            {1, 0.01, 5}, {5, 0.01, 5}, {1, 0.01, 6}, {5, 0.01, 6}, {1, 0.01, 12}, {5, 0.01, 12}, {1, 0.03, 20}
        }) {
            int arms = (int) one[0];
            int pairs = (int) one[2];
            String row =
                    arms + (arms == 1 ? " arm, " : " arms, ") + pairs + " pairs, " + Math.round(100 * one[1]) + " %";
            for (double truth : new double[] {1.02, 1}) {
                add(
                        table,
                        row,
                        truth == 1 ? "equal" : "2 % slower",
                        truth == 1 ? 1 : STATED,
                        seed -> share(last(SimulatedComparison.PLAIN.summary(
                                                new Simulation(seed, Noise.NORMAL, one[1]),
                                                pairs,
                                                Claims.USUAL,
                                                truths(arms, truth)))
                                        .kind()
                                == Verdict.Kind.EQUIVALENT));
            }
        }
    }

    private void kernel() {
        String table =
                "\"Leave it to the kernel\" is said where one bound arm is better by 2 %, and where all are equal, in %";
        for (double[] one : new double[][] {
            {1, 0.01, 5}, {5, 0.01, 5}, {1, 0.01, 6}, {3, 0.01, 6}, {5, 0.01, 6}, {5, 0.01, 12}, {3, 0.03, 20}
        }) {
            int arms = (int) one[0];
            int pairs = (int) one[2];
            String row =
                    arms + (arms == 1 ? " arm, " : " arms, ") + pairs + " pairs, " + Math.round(100 * one[1]) + " %";
            for (double truth : new double[] {1 / 1.02, 1}) {
                add(
                        table,
                        row,
                        truth == 1 ? "equal" : "2 % better",
                        truth == 1 ? 1 : STATED,
                        seed -> share(SimulatedComparison.PLAIN
                                .summary(
                                        new Simulation(seed, Noise.NORMAL, one[1]),
                                        pairs,
                                        Claims.USUAL,
                                        truths(arms, truth))
                                .kernel()
                                .isPresent()));
            }
        }
    }

    private void races() {
        String table = "Races of the usual plan, 3 %, in %; runs";
        for (int candidates : new int[] {1, 3, 7, 15}) {
            for (Noise noise : candidates == 7 ? Noise.values() : new Noise[] {Noise.NORMAL}) {
                String row = candidates + (candidates == 1 ? " candidate, " : " candidates, ") + name(noise);
                add(
                        table,
                        row,
                        "equal: one helps",
                        STATED / 2,
                        seed -> share(SimulatedRace.run(new Simulation(seed, noise, 0.03), truths(candidates, 1))
                                .helps()));
                add(
                        table,
                        row,
                        "5 % faster: nothing helps",
                        1,
                        seed -> share(nothingHelps(
                                SimulatedRace.run(new Simulation(seed, noise, 0.03), truths(candidates, 0.95)))));
                add(
                        table,
                        row,
                        "undecided",
                        1,
                        seed -> share(SimulatedRace.run(new Simulation(seed, noise, 0.03), truths(candidates, 0.95))
                                        .verdict()
                                == Verdict.Kind.NO_DIFFERENCE_FOUND));
                add(table, row, "found", 1, seed -> {
                    SimulatedRace race = SimulatedRace.run(new Simulation(seed, noise, 0.03), truths(candidates, 0.95));
                    return share(race.helps() && race.winner() == candidates - 1);
                });
                rates.add(new Rate(
                        table,
                        row,
                        "runs",
                        Double.MAX_VALUE,
                        false,
                        seed -> SimulatedRace.run(new Simulation(seed, noise, 0.03), truths(candidates, 0.95))
                                .runs()));
            }
        }
    }

    private static boolean nothingHelps(SimulatedRace race) {
        return race.verdict() == Verdict.Kind.SLOWER || race.verdict() == Verdict.Kind.EQUIVALENT;
    }

    private static Verdict last(Summary summary) {
        return summary.verdicts().get(summary.verdicts().size() - 1);
    }

    private static Verdict last(StoppingRule.Decision decision) {
        return decision.verdicts().get(decision.verdicts().size() - 1);
    }

    /** All equal but the last one. */
    private static double[] truths(int arms, double last) {
        double[] truths = new double[arms];
        Arrays.fill(truths, 1);
        truths[arms - 1] = last;
        return truths;
    }

    private static double[] times(double[] logs) {
        return Arrays.stream(logs).map(Math::exp).toArray();
    }

    private static double share(boolean holds) {
        return holds ? 1 : 0;
    }

    private static String name(Noise noise) {
        return switch (noise) {
            case NORMAL -> "log-normal";
            case OUTLIERS -> "outliers";
            case HEAVY_TAILS -> "heavy tails";
            case SKEWED -> "skewed";
            case DRIFT -> "drift";
            case RANDOM_WALK -> "walk";
            case BIMODAL -> "two modes";
            case CORRELATED -> "correlated";
            case NEIGHBOUR -> "neighbour";
            case PERIODIC -> "once a minute";
        };
    }
}
