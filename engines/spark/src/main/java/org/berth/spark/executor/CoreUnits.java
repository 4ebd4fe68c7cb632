package org.berth.spark.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/** The cores of a part of a machine as lists of their PUs. */
final class CoreUnits {
    private CoreUnits() {}

    /** In logical order, so that neighbours in the list are near each other; a PU without a core counts as one. */
    static List<List<CpuSet>> cores(Topology topology, CpuSet cpus) {
        List<List<CpuSet>> cores = new ArrayList<>();
        Optional<TopologyObject> last = Optional.empty();
        for (TopologyObject pu : topology.objects(ObjectType.PU)) {
            if (!cpus.contains(pu.osIndex())) {
                continue;
            }
            Optional<TopologyObject> core = pu.ancestor(ObjectType.CORE);
            if (cores.isEmpty() || core.isEmpty() || !core.equals(last)) {
                cores.add(new ArrayList<>());
            }
            cores.get(cores.size() - 1).add(CpuSet.of(pu.osIndex()));
            last = core;
        }
        return cores;
    }
}
