package org.berth.experiments.trial;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.memory.MemoryLocality;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * How much of the sampled processes' own memory lies on nodes that are not near the CPUs that their threads may use.
 * Reading numa_maps blocks mmap in the process for milliseconds, so it is read {@link SeldomLooks seldom}; a look counts as often as
 * there were samples since the one before, since the looks at the start of a run are close together.
 */
final class RemotePages {
    private final Topology topology;
    private final boolean several;
    private double nearBytes;
    private double totalBytes;
    private int lastLook;
    private Map<Integer, Long> nodeBytes = Map.of();
    private OptionalDouble latest = OptionalDouble.empty();
    private Optional<String> problem = Optional.empty();

    RemotePages(Topology topology) {
        this.topology = topology;
        this.several = topology.objects(ObjectType.NUMA_NODE).size() > 1;
    }

    /** @param number of the sample, from 1 */
    void add(int number, Map<Long, ProcessSample> processes) {
        latest = OptionalDouble.empty();
        if (!several || !SeldomLooks.at(number)) {
            return;
        }
        Map<Integer, Long> now = new TreeMap<>();
        double nearBefore = nearBytes;
        double totalBefore = totalBytes;
        int weight = number - lastLook;
        lastLook = number;
        processes.forEach((pid, sample) -> {
            CpuSet cpus = sample.threads().stream().map(ThreadSnapshot::allowed).reduce(CpuSet.empty(), CpuSet::union);
            try {
                MemorySnapshot memory = MemorySnapshot.of(pid);
                MemoryLocality locality = MemoryLocality.of(memory, topology.nodesOf(cpus));
                memory.bytesByNode().forEach((node, bytes) -> now.merge(node, bytes, Long::sum));
                nearBytes += (double) weight * locality.nearBytes();
                totalBytes += (double) weight * locality.totalBytes();
            } catch (NoSuchProcessException ended) {
                // The share is then of the others.
            } catch (ObservationException hidden) {
                problem = Optional.ofNullable(hidden.getMessage());
            }
        });
        if (totalBytes > totalBefore) {
            latest = OptionalDouble.of(1 - (nearBytes - nearBefore) / (totalBytes - totalBefore));
        }
        nodeBytes = now.isEmpty() ? nodeBytes : Collections.unmodifiableMap(now);
    }

    /** The share at the last sample alone; empty when it was not read then. */
    OptionalDouble latest() {
        return latest;
    }

    /** The memory of all processes at the last reading, by OS index of the node; empty without a reading. */
    Map<Integer, Long> nodeBytes() {
        return nodeBytes;
    }

    /** Why the memory of a process that lived is not in the numbers; empty when all is. */
    Optional<String> problem() {
        return problem;
    }

    OptionalDouble share() {
        return totalBytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(1 - nearBytes / totalBytes);
    }
}
