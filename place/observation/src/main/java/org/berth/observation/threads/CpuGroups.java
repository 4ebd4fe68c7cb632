package org.berth.observation.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** The core, last-level cache, package and memory nodes of each CPU, looked up once: -1 where there is none. */
final class CpuGroups {
    private static final int UNKNOWN = -1;

    private final int[] cores;
    private final int[] caches;
    private final int[] packages;
    private final int[] nodeGroups;

    CpuGroups(Topology topology) {
        int size = topology.cpuSet().last() + 1;
        cores = new int[size];
        caches = new int[size];
        packages = new int[size];
        nodeGroups = new int[size];
        List<NodeSet> groups = new ArrayList<>();
        for (int cpu = 0; cpu < size; cpu++) {
            Optional<TopologyObject> pu = topology.pu(cpu);
            cores[cpu] = logicalIndex(pu, ObjectType.CORE);
            caches[cpu] = pu.map(CpuGroups::lastLevelCache).orElse(UNKNOWN);
            packages[cpu] = logicalIndex(pu, ObjectType.PACKAGE);
            nodeGroups[cpu] = pu.isPresent() ? group(groups, topology.nodesOf(CpuSet.of(cpu))) : UNKNOWN;
        }
    }

    /** Whether the two CPUs belong to different cores; false when that is not known. */
    boolean differentCore(int oneCpu, int otherCpu) {
        return different(cores, oneCpu, otherCpu);
    }

    boolean differentCache(int oneCpu, int otherCpu) {
        return different(caches, oneCpu, otherCpu);
    }

    boolean differentPackage(int oneCpu, int otherCpu) {
        return different(packages, oneCpu, otherCpu);
    }

    boolean differentNode(int oneCpu, int otherCpu) {
        return different(nodeGroups, oneCpu, otherCpu);
    }

    private static boolean different(int[] groups, int oneCpu, int otherCpu) {
        int one = groupOf(groups, oneCpu);
        int other = groupOf(groups, otherCpu);
        return one != UNKNOWN && other != UNKNOWN && one != other;
    }

    /** A CPU that came online after the topology was read is in no group. */
    private static int groupOf(int[] groups, int cpu) {
        return cpu >= 0 && cpu < groups.length ? groups[cpu] : UNKNOWN;
    }

    private static int logicalIndex(Optional<TopologyObject> pu, ObjectType type) {
        return pu.flatMap(object -> object.ancestor(type))
                .map(TopologyObject::logicalIndex)
                .orElse(UNKNOWN);
    }

    /**
     * The first CPU of the outermost cache of data. Levels differ inside some machines (an L3 for some cores, an L2 for
     * the others), so logical indices of one level would not tell them apart.
     */
    private static int lastLevelCache(TopologyObject pu) {
        int first = UNKNOWN;
        for (Optional<TopologyObject> up = pu.parent();
                up.isPresent();
                up = up.get().parent()) {
            first = up.get().type().isDataCache() ? up.get().cpuSet().first() : first;
        }
        return first;
    }

    /** CPUs may have several near nodes (DRAM and high-bandwidth memory), so sets are compared. */
    private static int group(List<NodeSet> groups, NodeSet nodes) {
        int known = groups.indexOf(nodes);
        if (known >= 0) {
            return known;
        }
        groups.add(nodes);
        return groups.size() - 1;
    }
}
