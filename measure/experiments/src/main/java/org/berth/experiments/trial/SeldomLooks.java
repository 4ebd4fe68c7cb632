package org.berth.experiments.trial;

/**
 * A schedule for expensive readings, which block mmap in the process for milliseconds: after samples 4, 8, 16 and so
 * on, so that the relative cost falls as the run gets longer.
 */
final class SeldomLooks {
    private static final int FIRST_SAMPLE = 4;

    private SeldomLooks() {}

    /** @param sample its number, from 1 */
    static boolean at(int sample) {
        return sample >= FIRST_SAMPLE && Integer.bitCount(sample) == 1;
    }
}
