package org.berth.experiments;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.berth.experiments.Simulation.Noise;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;

/** Makes the tables of {@code docs/background/statistics.md}; a minute of computing. Arguments: seed, experiments. */
final class StatisticsTables {
    private static final int[] PAIRS = {5, 6, 8, 12, 20, 30};

    private final long seed;
    private final int experiments;

    private StatisticsTables(long seed, int experiments) {
        this.seed = seed;
        this.experiments = experiments;
    }

    public static void main(String[] args) {
        StatisticsTables tables = new StatisticsTables(
                args.length > 0 ? Long.parseLong(args[0]) : 1, args.length > 1 ? Integer.parseInt(args[1]) : 4000);
        tables.fixed("coverage, 1 arm", "-", 1, 1.0, 0.03);
        tables.fixed("a false verdict among 3 arms", "+", 3, 1.0, 0.03);
        tables.fixed("5 % found, 1 arm", "!", 1, 1.05, 0.03);
        tables.fixed("5 % found, 3 arms", "!", 3, 1.05, 0.03);
        tables.fixed("detectable (median), 1 arm", "d", 1, 1.0, 0.03);
        tables.fixed("detectable (median), 3 arms", "d", 3, 1.0, 0.03);
        for (int arms : new int[] {1, 3}) {
            for (double deviation : new double[] {0.015, 0.03}) {
                tables.sequential(arms, deviation);
            }
        }
    }

    private void fixed(String title, String what, int arms, double truth, double deviation) {
        System.out.println(title);
        for (Noise noise : Noise.values()) {
            StringBuilder row = new StringBuilder("| " + noise);
            for (int pairs : PAIRS) {
                Simulation simulation = new Simulation(seed, noise, deviation);
                int count = 0;
                double[] detectable = new double[experiments];
                for (int i = 0; i < experiments; i++) {
                    double[] truths = new double[arms];
                    Arrays.fill(truths, 1.0);
                    truths[0] = truth;
                    List<Ratio> ratios = simulation.experiment(pairs, truths).stream()
                            .map(one -> Ratio.of(one, 0.05 / arms))
                            .toList();
                    boolean first = ratios.get(0).interval().orElseThrow().excludesOne();
                    boolean any = ratios.stream()
                            .anyMatch(one -> one.interval().orElseThrow().excludesOne());
                    count += (what.equals("-") ? !first : what.equals("+") ? any : first) ? 1 : 0;
                    detectable[i] = ratios.get(0).detectable().orElseThrow();
                }
                double value = what.equals("d")
                        ? Spread.of(Arrays.stream(detectable)).orElseThrow().median()
                        : (double) count / experiments;
                row.append(String.format(Locale.ROOT, " | %.1f", 100 * value));
            }
            System.out.println(row + " |");
        }
    }

    private void sequential(int arms, double deviation) {
        StoppingRule rule = StoppingRule.of(arms + 1, 6, 30, Claims.USUAL);
        System.out.printf(Locale.ROOT, "until decided, %d arms, noise %.3f%n", arms, deviation);
        for (Noise noise : Noise.values()) {
            StringBuilder row = new StringBuilder("| " + noise);
            for (double truth : new double[] {1, 1.05}) {
                Simulation simulation = new Simulation(seed, noise, deviation);
                int wrong = 0;
                int found = 0;
                int same = 0;
                double rounds = 0;
                int half = experiments / 2;
                for (int i = 0; i < half; i++) {
                    double[] truths = new double[arms];
                    Arrays.fill(truths, 1.0);
                    truths[0] = truth;
                    SequentialRun run = SequentialRun.of(rule, simulation.experiment(30, truths), 6);
                    rounds += run.rounds();
                    found += SequentialRun.isDifferent(run.kind(0)) ? 1 : 0;
                    same += run.kind(arms - 1) == Verdict.Kind.EQUIVALENT ? 1 : 0;
                    wrong += run.everCalledDifferent(truth == 1 ? 0 : 1) ? 1 : 0;
                }
                row.append(String.format(
                        Locale.ROOT,
                        " | wrong %.1f found %.1f last same %.1f rounds %.1f",
                        100.0 * wrong / half,
                        100.0 * found / half,
                        100.0 * same / half,
                        rounds / half));
            }
            System.out.println(row + " |");
        }
    }
}
