package org.berth.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

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
        RANDOM_WALK
    }

    private final Random random;
    private final Noise noise;
    private final double deviation;

    /** @param deviation of the logarithm of a run, 0.03 for 3 %; two of them are in each quotient */
    public Simulation(long seed, Noise noise, double deviation) {
        this.random = new Random(seed);
        this.noise = noise;
        this.deviation = deviation;
    }

    /**
     * Quotients of each arm but the baseline, round by round.
     *
     * @param truths ratios of these arms
     */
    public List<double[]> experiment(int rounds, double... truths) {
        int arms = truths.length + 1;
        double[][] logs = new double[arms][rounds];
        double machine = 0;
        for (ScheduledRun run :
                Schedule.drawn(arms, rounds, false, random.nextLong()).runs()) {
            machine += step();
            double truth = run.arm() == 0 ? 1 : truths[run.arm() - 1];
            logs[run.arm()][run.round() - 1] = Math.log(truth) + machine + draw();
        }
        List<double[]> quotients = new ArrayList<>();
        for (int arm = 1; arm < arms; arm++) {
            double[] one = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                one[round] = Math.exp(logs[arm][round] - logs[0][round]);
            }
            quotients.add(one);
        }
        return quotients;
    }

    private double step() {
        return switch (noise) {
            case DRIFT -> 0.02;
            case RANDOM_WALK -> 0.02 * random.nextGaussian();
            default -> 0;
        };
    }

    private double draw() {
        return switch (noise) {
            case NORMAL, DRIFT, RANDOM_WALK -> deviation * random.nextGaussian();
            case OUTLIERS -> deviation * random.nextGaussian() + (random.nextInt(10) == 0 ? Math.log(1.5) : 0);
            case HEAVY_TAILS -> deviation * studentWithThreeDegrees() / Math.sqrt(3);
            case SKEWED -> deviation * (-Math.log(1 - random.nextDouble()) - 1);
        };
    }

    private double studentWithThreeDegrees() {
        double squares = 0;
        for (int i = 0; i < 3; i++) {
            double normal = random.nextGaussian();
            squares += normal * normal;
        }
        return random.nextGaussian() / Math.sqrt(squares / 3);
    }

    /** Five standard deviations of a share found in so many experiments: chance breaks it less than once in 100,000. */
    public static double tolerance(double share, int experiments) {
        return 5 * Math.sqrt(share * (1 - share) / experiments);
    }
}
