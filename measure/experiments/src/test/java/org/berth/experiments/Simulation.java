package org.berth.experiments;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.ExponentialDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/** Experiments whose truth is known: arms that differ by what was planted, noise, and an order that is drawn as that of real runs. */
public final class Simulation {
    /** What makes two runs of the same work differ. */
    public enum Noise {
        /** Log-normal. */
        NORMAL,
        /** Log-normal, and a tenth of all runs takes half as long again. */
        OUTLIERS,
        /** Student's t with 3 degrees of freedom on the logarithms, of the same standard deviation. */
        HEAVY_TAILS,
        /** Exponential on the logarithms: never much faster, now and then much slower. */
        SKEWED,
        /** Log-normal, and each run is 2 % slower than the one before. */
        DRIFT,
        /** Log-normal, and the machine's speed is a random walk with steps of 2 % from run to run. */
        RANDOM_WALK,
        /** Log-normal, and half of the runs take a tenth longer. */
        BIMODAL,
        /** Log-normal, and the machine's speed varies by 5 %, half of which it keeps from run to run. */
        CORRELATED,
        /** Log-normal, and a neighbour makes runs 20 % slower while it is there: for four runs on average, as for four it is not. */
        NEIGHBOUR,
        /** Log-normal, and work of others that comes once a minute for 20 seconds makes runs of 15.3 seconds 20 % slower while it is there. */
        PERIODIC;

        /** Those for which power is stated. */
        public static List<Noise> usual() {
            return List.of(NORMAL, OUTLIERS, HEAVY_TAILS, SKEWED, DRIFT, RANDOM_WALK);
        }
    }

    private static final double PERIOD_SECONDS = 60;
    private static final double BUSY_SECONDS = 20;
    private static final double RUN_SECONDS = 15.3;

    private final RandomGenerator random;
    private final TDistribution heavy;
    private final ExponentialDistribution skewed;
    private final Noise noise;
    private final double deviation;

    /** @param deviation of the logarithm of a run, 0.03 for 3 %; two of them are in each quotient */
    public Simulation(long seed, Noise noise, double deviation) {
        this.random = new Well19937c(seed);
        this.heavy = new TDistribution(random, 3);
        this.skewed = new ExponentialDistribution(random, 1);
        this.noise = noise;
        this.deviation = deviation;
    }

    /**
     * Quotients of each arm but the baseline, round by round.
     *
     * @param truths ratios of these arms
     */
    public List<double[]> experiment(int rounds, double... truths) {
        double[][] logs = logs(rounds, true, truths);
        List<double[]> quotients = new ArrayList<>();
        for (int arm = 1; arm < logs.length; arm++) {
            double[] one = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                one[round] = Math.exp(logs[arm][round] - logs[0][round]);
            }
            quotients.add(one);
        }
        return quotients;
    }

    /**
     * Logarithms of the times of all runs, arm by arm, round by round.
     *
     * @param drawn whether the arms take turns, in an order drawn in each round; otherwise all runs of an arm come before those of the next
     */
    double[][] logs(int rounds, boolean drawn, double... truths) {
        int arms = truths.length + 1;
        double[][] logs = new double[arms][rounds];
        Machine machine = new Machine();
        if (!drawn) {
            for (int arm = 0; arm < arms; arm++) {
                for (int round = 0; round < rounds; round++) {
                    logs[arm][round] = machine.run(arm == 0 ? 1 : truths[arm - 1]);
                }
            }
            return logs;
        }
        for (ScheduledRun run :
                Schedule.drawn(arms, rounds, 0, random.nextLong()).runs()) {
            logs[run.arm()][run.round() - 1] = machine.run(run.arm() == 0 ? 1 : truths[run.arm() - 1]);
        }
        return logs;
    }

    RandomGenerator random() {
        return random;
    }

    /** What stays from one run to the next. */
    private final class Machine {
        private double speed = noise == Noise.CORRELATED ? 0.05 * random.nextGaussian() : 0;
        private boolean neighbour = random.nextBoolean();
        private double seconds = PERIOD_SECONDS * random.nextDouble();

        double run(double truth) {
            double own = Math.log(truth) + draw();
            switch (noise) {
                case DRIFT -> speed += 0.02;
                case RANDOM_WALK -> speed += 0.02 * random.nextGaussian();
                case CORRELATED -> speed = 0.5 * speed + Math.sqrt(0.75) * 0.05 * random.nextGaussian();
                case NEIGHBOUR -> {
                    neighbour ^= random.nextInt(4) == 0;
                    speed = neighbour ? Math.log(1.2) : 0;
                }
                case PERIODIC -> {
                    double length = RUN_SECONDS * Math.exp(own);
                    double begin = seconds % PERIOD_SECONDS;
                    double busy = Math.max(0, Math.min(begin + length, BUSY_SECONDS) - begin)
                            + Math.max(0, begin + length - Math.max(begin, PERIOD_SECONDS));
                    speed = Math.log1p(0.2 * Math.min(busy, length) / length);
                    seconds += length * Math.exp(speed);
                }
                default -> speed = 0;
            }
            return speed + own;
        }
    }

    private double draw() {
        return switch (noise) {
            case OUTLIERS -> deviation * random.nextGaussian() + (random.nextInt(10) == 0 ? Math.log(1.5) : 0);
            case HEAVY_TAILS -> deviation * heavy.sample() / Math.sqrt(3);
            case SKEWED -> deviation * (skewed.sample() - 1);
            case BIMODAL -> deviation * random.nextGaussian() + (random.nextBoolean() ? Math.log(1.1) : 0);
            default -> deviation * random.nextGaussian();
        };
    }

    /** Five standard deviations of a share found in so many experiments: chance breaks it less than once in 100,000. */
    public static double tolerance(double share, int experiments) {
        return 5 * Math.sqrt(share * (1 - share) / experiments);
    }
}
