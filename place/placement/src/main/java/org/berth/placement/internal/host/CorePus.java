package org.berth.placement.internal.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** The cores of some CPUs as lists of their PUs. */
public final class CorePus {
    private CorePus() {}

    /** The list has logical order, so that neighbours are near each other; a PU without a core counts as a core. */
    public static List<List<CpuSet>> of(Topology topology, CpuSet cpus) {
        Map<TopologyObject, List<CpuSet>> cores = new LinkedHashMap<>();
        for (TopologyObject pu : topology.objectsIntersecting(cpus, ObjectType.PU)) {
            cores.computeIfAbsent(pu.ancestor(ObjectType.CORE).orElse(pu), core -> new ArrayList<>())
                    .add(CpuSet.of(pu.osIndex()));
        }
        return List.copyOf(cores.values());
    }
}
