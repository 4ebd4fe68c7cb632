package org.berth.observation.threads;

/**
 * A stretch of time in which a thread used CPU time and was seen on one CPU.
 *
 * @param fromNanos time of the sample before it ({@link System#nanoTime()})
 * @param toNanos time of the last sample in it
 * @param cpu osIndex of the CPU
 * @since 0.1.0
 */
public record CpuRun(long fromNanos, long toNanos, int cpu) {
    /** Length of the stretch; the thread need not have used all of it. */
    public long lengthNanos() {
        return toNanos - fromNanos;
    }
}
