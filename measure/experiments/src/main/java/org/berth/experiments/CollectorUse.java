package org.berth.experiments;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the collectors of the JVMs of one run did.
 *
 * @param pauses by the collectors' logs
 * @param stalls waits of single threads for memory that the collector had not freed in time; ZGC logs them ("Allocation
 *     Stall"), for they are no pauses
 * @param threads that worked for a collector, by their names, as many as were seen together
 * @param cpuSeconds of these threads, by samples: what they used after the last sample is missing
 * @param cpuSecondsByNode the same, by the node (osIndex) of the CPU on which a thread was seen at the end of each interval
 *     between two samples
 */
public record CollectorUse(
        PauseSummary pauses,
        PauseSummary stalls,
        int threads,
        double cpuSeconds,
        Map<Integer, Double> cpuSecondsByNode) {
    /** Copies the map. */
    public CollectorUse {
        cpuSecondsByNode = Collections.unmodifiableMap(new TreeMap<>(cpuSecondsByNode));
    }
}
