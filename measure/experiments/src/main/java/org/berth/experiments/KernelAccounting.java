package org.berth.experiments;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run used, by the kernel's account (getrusage(2) of ended children): the command and all that it started and
 * waited for, and orphans that ended before it. A process that is left behind is not in it.
 *
 * @param userSeconds CPU time in programs
 * @param systemSeconds CPU time in the kernel
 * @param peakRssBytes peak memory in RAM of the largest process; not a sum
 * @param minorFaults page faults without input from a device
 * @param majorFaults page faults that waited for a device
 * @param voluntarySwitches how often a thread gave its CPU away, to wait
 * @param involuntarySwitches how often a thread lost its CPU
 * @param counters of perf-list(1) by their names; {@code task-clock} in nanoseconds
 * @param missing counters that could not be had, with the reason
 */
public record KernelAccounting(
        double userSeconds,
        double systemSeconds,
        long peakRssBytes,
        long minorFaults,
        long majorFaults,
        long voluntarySwitches,
        long involuntarySwitches,
        Map<String, Long> counters,
        Map<String, String> missing) {
    public KernelAccounting {
        counters = Collections.unmodifiableMap(new TreeMap<>(counters));
        missing = Collections.unmodifiableMap(new TreeMap<>(missing));
    }
}
