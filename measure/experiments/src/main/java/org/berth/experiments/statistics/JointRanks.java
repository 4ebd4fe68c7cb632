package org.berth.experiments.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The error that each of several numbers of the same runs may have, so that all of them together keep theirs. Numbers of one run
 * mostly go up and down together, and then Bonferroni's share is far too small. Where no number differs, the quotient of each round
 * could as well have been its inverse, for all numbers at once: turning rounds at random shows how small the smallest of their
 * signed-rank probabilities gets by chance (Westfall and Young, Resampling-based multiple testing, 1993, ch. 2: the single-step
 * minimum of p-values). Simulated with 18 numbers and 12 pairs, a difference of one standard deviation was found in 61 to 82 % instead
 * of 50 %.
 */
public final class JointRanks {
    /** Up to here all ways to turn rounds are tried, beyond as many at random. */
    private static final int EXHAUSTIVE = 13;

    private static final int TURNS = 1 << (EXHAUSTIVE - 1);

    private JointRanks() {}

    /**
     * The error of each number: at least Bonferroni's share, which it is where ranks have too few values. Pure: what is drawn at
     * random is always the same.
     *
     * @param numbers of each, round by round, whose centre may be zero; NaN where a round has none
     * @param error of all numbers together
     */
    public static double errorOfEach(List<double[]> numbers, double error) {
        double share = error / Math.max(1, numbers.size());
        int rounds = numbers.stream().mapToInt(one -> one.length).max().orElse(0);
        if (numbers.size() < 2 || rounds < Ratio.MIN_RANKS || !SignedRanks.reaches(rounds, error)) {
            return share;
        }
        List<Ranked> ranked = numbers.stream().map(Ranked::of).toList();
        double[] smallest = new double[TURNS];
        boolean all = rounds <= EXHAUSTIVE;
        int turns = all ? 1 << (rounds - 1) : TURNS;
        SplittableRandom random = new SplittableRandom(rounds);
        for (int turn = 0; turn < turns; turn++) {
            long signs = all ? turn : random.nextLong();
            double least = 1;
            for (Ranked one : ranked) {
                least = Math.min(least, one.probability(signs));
            }
            smallest[turn] = least;
        }
        Arrays.sort(smallest, 0, turns);
        int kept = (int) Math.floor(error * turns);
        // Of equal ones all or none.
        while (kept > 0 && smallest[kept - 1] >= smallest[kept]) {
            kept--;
        }
        return kept == 0 ? share : Math.max(share, smallest[kept - 1]);
    }

    /** One number's ranks by their distance from zero. */
    private static final class Ranked {
        /** By round, doubled, so that those of ties are whole; 0 without a number. */
        private final int[] ranks;

        /** The rounds whose number is above zero. */
        private final boolean[] above;

        private final int total;

        /** Two-sided, by the smaller sum of ranks. */
        private final double[] probabilities;

        private Ranked(int[] ranks, boolean[] above, int total, double[] probabilities) {
            this.ranks = ranks;
            this.above = above;
            this.total = total;
            this.probabilities = probabilities;
        }

        static Ranked of(double[] numbers) {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < numbers.length; i++) {
                if (!Double.isNaN(numbers[i])) {
                    order.add(i);
                }
            }
            order.sort((one, other) -> Double.compare(Math.abs(numbers[one]), Math.abs(numbers[other])));
            int[] ranks = new int[numbers.length];
            for (int i = 0; i < order.size(); ) {
                int end = i + 1;
                while (end < order.size() && Math.abs(numbers[order.get(end)]) == Math.abs(numbers[order.get(i)])) {
                    end++;
                }
                for (int j = i; j < end; j++) {
                    ranks[order.get(j)] = i + 1 + end;
                }
                i = end;
            }
            boolean[] above = new boolean[numbers.length];
            for (int i = 0; i < numbers.length; i++) {
                above[i] = numbers[i] > 0;
            }
            int count = order.size();
            double[] sums = SignedRanks.probabilities(count);
            double[] probabilities = new double[sums.length];
            double together = 0;
            for (int sum = 0; sum < sums.length; sum++) {
                together += sums[sum];
                probabilities[sum] = Math.min(1, 2 * together);
            }
            return new Ranked(ranks, above, count * (count + 1), probabilities);
        }

        double probability(long signs) {
            int up = 0;
            for (int i = 0; i < ranks.length; i++) {
                if ((signs >> i & 1) == 0 == above[i]) {
                    up += ranks[i];
                }
            }
            int smaller = Math.min(up, total - up) / 2;
            return probabilities[Math.min(smaller, probabilities.length - 1)];
        }
    }
}
