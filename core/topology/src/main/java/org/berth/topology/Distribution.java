package org.berth.topology;

import java.util.ArrayList;
import java.util.List;

/** Spreads parts over the machine in proportion to the CPUs below each object, as hwloc_distrib. */
final class Distribution {
    private final CpuSet within;
    private final List<CpuSet> parts = new ArrayList<>();

    private Distribution(CpuSet within) {
        this.within = within;
    }

    static List<CpuSet> of(TopologyObject root, CpuSet within, int count) {
        Distribution distribution = new Distribution(within);
        distribution.spread(List.of(root), count);
        return List.copyOf(distribution.parts);
    }

    private void spread(List<TopologyObject> objects, int count) {
        long totalWeight = 0;
        for (TopologyObject object : objects) {
            totalWeight += cpus(object).size();
        }
        long givenWeight = 0;
        for (TopologyObject object : objects) {
            CpuSet cpus = cpus(object);
            long weight = cpus.size();
            if (weight == 0) {
                continue;
            }
            int share = (int) (roundedUp((givenWeight + weight) * count, totalWeight)
                    - roundedUp(givenWeight * count, totalWeight));
            if (share == 0) {
                // Rounded away: its CPUs join the part before, so that no CPU is left out.
                int last = parts.size() - 1;
                parts.set(last, parts.get(last).union(cpus));
            } else if (share == 1 || object.children().isEmpty()) {
                for (int i = 0; i < share; i++) {
                    parts.add(cpus);
                }
            } else {
                spread(object.children(), share);
            }
            givenWeight += weight;
        }
    }

    private CpuSet cpus(TopologyObject object) {
        return object.cpuSet().intersection(within);
    }

    private static long roundedUp(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
