package org.berth.placement;

/**
 * How long the threads of one slot have run and waited and its CPUs had nothing to do, summed up since any fixed moment.
 *
 * @param runNanos CPU time of the threads
 * @param waitNanos time that they were runnable and did not run
 * @param idleNanos time that the CPUs of the slot ran nothing at all; of several, the busiest counts
 * @since 0.1.0
 */
public record SlotTimes(long runNanos, long waitNanos, long idleNanos) {
    /** What was added since an earlier moment; never negative. */
    SlotTimes since(SlotTimes before) {
        return new SlotTimes(
                Math.max(0, runNanos - before.runNanos),
                Math.max(0, waitNanos - before.waitNanos),
                Math.max(0, idleNanos - before.idleNanos));
    }
}
