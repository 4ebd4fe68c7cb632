package org.berth.experiments;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a run used in addition to its wall time.
 *
 * @param accounting empty when the kernel's account could not be read, which a note of the trial explains
 * @param remoteShare of the memory of its processes, what lay on nodes that are not near the CPUs they may use, from 0 to
 *     1 over a few readings; empty on a machine of one node and for runs that end before the first reading
 * @param treePeakRssBytes the peak of the memory that all processes of the run had in RAM at the same time, by samples of
 *     {@code VmRSS}: a page that several processes share counts for each of them, and what rose and fell between two
 *     samples is missed; empty for runs that end before the first sample
 * @param gcPauseSeconds how long collectors of its JVMs stopped the work; empty when they did not log
 * @param nodeBytes memory of its processes on each node, by osIndex, at the last of these readings; empty without one
 * @param heapHugeShare of the heaps of its JVMs, what lay in huge pages at the last look, from 0 to 1; empty without a JVM, and for
 *     runs that end before the first look
 * @param collector what the collectors of its JVMs did; empty when they did not log
 */
public record ResourceUsage(
        Optional<KernelAccounting> accounting,
        OptionalDouble remoteShare,
        OptionalLong treePeakRssBytes,
        OptionalDouble gcPauseSeconds,
        Map<Integer, Long> nodeBytes,
        OptionalDouble heapHugeShare,
        Optional<CollectorUse> collector) {
    /** Nothing is known. */
    public static final ResourceUsage NOTHING = new ResourceUsage(
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            OptionalDouble.empty(),
            Map.of(),
            OptionalDouble.empty(),
            Optional.empty());

    public ResourceUsage {
        nodeBytes = Collections.unmodifiableMap(new TreeMap<>(nodeBytes));
    }
}
