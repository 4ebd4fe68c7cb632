package org.berth.observation;

/**
 * How long a thread has run and waited since its birth.
 *
 * @param runNanos CPU time
 * @param waitNanos time that it was runnable and did not run: {@code run_delay} of the kernel
 * @since 0.1.0
 */
public record RunQueueTimes(long runNanos, long waitNanos) {}
