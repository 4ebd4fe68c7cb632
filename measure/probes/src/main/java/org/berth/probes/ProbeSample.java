package org.berth.probes;

/**
 * One transfer.
 *
 * @param place name of the place
 * @param round counted from 1
 * @param seconds wall time
 * @param megabytesPerSecond MiB by seconds
 * @param cpuSeconds of the thread, in user and kernel mode; interrupts that hit other threads are not in it
 * @param lastCpu osIndex of the CPU on which the thread was at the end
 */
public record ProbeSample(
        String place, int round, double seconds, double megabytesPerSecond, double cpuSeconds, int lastCpu) {}
