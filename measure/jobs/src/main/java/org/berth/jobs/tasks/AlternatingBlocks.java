package org.berth.jobs.tasks;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Blocks of four runs, with something switched on, off, off and on: what drifts evenly within a block (compiled code, a heap
 * that fills, other load) counts for both sides. A block gives one ratio of on to off.
 */
final class AlternatingBlocks {
    private final double[] cpu;
    private final double[] wall;

    /** What is switched. */
    interface Switch {
        void turn(boolean on);
    }

    private AlternatingBlocks(int blocks) {
        cpu = new double[blocks];
        wall = new double[blocks];
    }

    static AlternatingBlocks run(int blocks, Switch what, Runnable work, LongSupplier cpuNanos) {
        AlternatingBlocks turns = new AlternatingBlocks(blocks);
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < 4; i++) {
                boolean on = i == 0 || i == 3;
                what.turn(on);
                long cpuBefore = cpuNanos.getAsLong();
                long before = System.nanoTime();
                work.run();
                turns.wall[block] += (on ? 1 : -1) * Math.log((double) (System.nanoTime() - before)) / 2;
                turns.cpu[block] += (on ? 1 : -1) * Math.log((double) (cpuNanos.getAsLong() - cpuBefore)) / 2;
            }
        }
        what.turn(true);
        return turns;
    }

    /** One line: geometric means of the blocks' ratios, each with its standard error. */
    String line() {
        return String.format(
                Locale.ROOT, "CPU time %s, wall time %s, %d blocks of four waves", mean(cpu), mean(wall), cpu.length);
    }

    static String mean(double[] logarithms) {
        int count = logarithms.length;
        double sum = 0;
        for (double value : logarithms) {
            sum += value;
        }
        double mean = sum / count;
        double squares = 0;
        for (double value : logarithms) {
            squares += (value - mean) * (value - mean);
        }
        String ratio = String.format(Locale.ROOT, "%.3f", Math.exp(mean));
        return count < 2
                ? ratio
                : ratio
                        + String.format(
                                Locale.ROOT, " (standard error %.3f)", Math.sqrt(squares / (count - 1) / count));
    }
}
