package org.berth.experiments;

/**
 * When something is read whose reading blocks mmap in the process for milliseconds: after samples 4, 8, 16 and so on, so that it costs
 * a run the less the longer the run is.
 */
final class SeldomLooks {
    private static final int FIRST_SAMPLE = 4;

    private SeldomLooks() {}

    /** @param sample its number, from 1 */
    static boolean at(int sample) {
        return sample >= FIRST_SAMPLE && Integer.bitCount(sample) == 1;
    }
}
