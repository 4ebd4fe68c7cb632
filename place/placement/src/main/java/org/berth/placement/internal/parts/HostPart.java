package org.berth.placement.internal.parts;

import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.TopologyObject;

/**
 * A part of the machine among which workers are distributed: a package, a NUMA node, or all of it.
 *
 * @param noun "package", "NUMA node"; the whole name when there is only one
 * @param logicalIndexes L# of the objects in it, empty when it is no object of the machine
 * @param cpus its usable CPUs
 * @param cores its cores that have a usable PU, in logical order
 */
public record HostPart(String noun, List<Integer> logicalIndexes, CpuSet cpus, List<Core> cores) {
    /** "package L#0", or "this machine". */
    public String label() {
        return label(noun, logicalIndexes);
    }

    public static String label(String noun, List<Integer> logicalIndexes) {
        if (logicalIndexes.isEmpty()) {
            return noun;
        }
        int[] indexes = logicalIndexes.stream().mapToInt(Integer::intValue).toArray();
        return noun + (indexes.length > 1 ? "s" : "") + " L#" + CpuSet.of(indexes);
    }

    /** "PU 3", "PUs 0,16". */
    public static String pus(CpuSet cpus) {
        return (cpus.size() == 1 ? "PU " : "PUs ") + cpus;
    }

    public static CpuSet cpusOf(List<TopologyObject> pus) {
        return CpuSet.of(pus.stream().mapToInt(TopologyObject::osIndex).toArray());
    }
}
