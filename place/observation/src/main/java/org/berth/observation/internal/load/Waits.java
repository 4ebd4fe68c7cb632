package org.berth.observation.internal.load;

/**
 * How long threads waited for a CPU in a span of time, and what ran meanwhile. All values are in nanoseconds, and sums over
 * threads or CPUs.
 *
 * @param elapsedNanos the length of the span
 * @param ranNanos CPU time of the threads
 * @param waitedNanos how long the threads could run and had no CPU
 * @param idleNanos how long their CPUs ran nothing, or only what has a lower priority than this process
 * @param throttledNanos how long control groups of this process were stopped because their quota was used up
 * @param compilersWaitedNanos how long the JIT compilers of this process had no CPU
 */
public record Waits(
        long elapsedNanos,
        long ranNanos,
        long waitedNanos,
        long idleNanos,
        long throttledNanos,
        long compilersWaitedNanos) {}
