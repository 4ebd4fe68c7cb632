package org.berth.experiments.turns;

import java.util.SplittableRandom;

/**
 * The arm of each turn of a trial. Turns come in rounds, in which each arm has one turn, in an order drawn at random: a
 * switchback with balanced blocks (Bojinov, Simchi-Levi and Zhao, Design and analysis of switchback experiments, 2023,
 * arXiv 2009.00148). All hosts find the same arm for a turn without a message, because the order follows from the seed
 * alone. Thread-safe.
 *
 * @param arms at least two; arm 0 is the baseline
 * @param seed the same in all processes of a trial
 */
public record TurnOrder(int arms, long seed) {
    private static final int MAX_ARMS = 64;

    public TurnOrder {
        if (arms < 2 || arms > MAX_ARMS) {
            throw new IllegalArgumentException(arms + " arms; a trial has 2 to " + MAX_ARMS);
        }
    }

    /** The round of a turn; turns are counted from 0. */
    public long round(long turn) {
        return Math.floorDiv(turn, (long) arms);
    }

    /** The arm of a turn. */
    public int arm(long turn) {
        return order(round(turn))[(int) Math.floorMod(turn, (long) arms)];
    }

    private int[] order(long round) {
        SplittableRandom random = new SplittableRandom(mixed(seed + mixed(round)));
        int[] order = new int[arms];
        for (int i = 0; i < arms; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /**
     * Seeds that differ by a multiple of SplittableRandom's own step would give the same numbers, shifted: variant 13 of
     * Stafford's finaliser (Better bit mixing, 2011) keeps rounds apart.
     */
    private static long mixed(long value) {
        long bits = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }
}
