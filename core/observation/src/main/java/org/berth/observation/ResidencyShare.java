package org.berth.observation;

import java.util.OptionalDouble;

/**
 * In how many samples of running threads the thread was where it was meant to be.
 *
 * @param atHome samples in which it was
 * @param counted all samples of threads that ran and of which something is expected
 */
public record ResidencyShare(long atHome, long counted) {
    /** Between 0 and 1; empty when nothing was counted. */
    public OptionalDouble share() {
        return counted == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) atHome / counted);
    }

    /** Both together. */
    public ResidencyShare plus(ResidencyShare other) {
        return new ResidencyShare(atHome + other.atHome, counted + other.counted);
    }
}
