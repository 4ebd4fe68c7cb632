package org.berth.observation.internal.threads;

import java.util.OptionalDouble;

/**
 * In how many samples of running threads the thread was inside its slot.
 *
 * @param inside samples in which it was
 * @param counted all samples of threads that ran and of which something is expected
 * @since 0.1.0
 */
public record ResidencyShare(long inside, long counted) {
    /** Between 0 and 1; empty when nothing was counted. */
    public OptionalDouble share() {
        return counted == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) inside / counted);
    }

    /** Both together. */
    public ResidencyShare plus(ResidencyShare other) {
        return new ResidencyShare(inside + other.inside, counted + other.counted);
    }
}
