package org.berth.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.berth.topology.internal.bits.Bitmap;

/** Spreads parts over the machine in proportion to the CPUs below each object, as hwloc_distrib. */
final class Distribution {
    private final CpuSet within;
    private final int untilDepth;
    private final boolean reversed;
    private final List<CpuSet> parts = new ArrayList<>();

    private Distribution(CpuSet within, int untilDepth, boolean reversed) {
        this.within = within;
        this.untilDepth = untilDepth;
        this.reversed = reversed;
    }

    /** More parts than a set has room for are no use; the limit keeps a mistaken count from taking the memory. */
    static boolean isCount(int count) {
        return count > 0 && count <= Bitmap.MAX_INDEX + 1;
    }

    static List<CpuSet> of(List<TopologyObject> roots, CpuSet within, int count, int untilDepth, boolean reversed) {
        Distribution distribution = new Distribution(within, untilDepth, reversed);
        distribution.spread(roots, count);
        return List.copyOf(distribution.parts);
    }

    private void spread(List<TopologyObject> inOrder, int count) {
        List<TopologyObject> objects = new ArrayList<>(inOrder);
        if (reversed) {
            Collections.reverse(objects);
        }
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
            } else if (share == 1 || children(object).isEmpty()) {
                for (int i = 0; i < share; i++) {
                    parts.add(cpus);
                }
            } else {
                spread(children(object), share);
            }
            givenWeight += weight;
        }
    }

    /** Memory is local to the children of what it hangs from. */
    private List<TopologyObject> children(TopologyObject object) {
        TopologyObject normal = object;
        TopologyObject parent = normal.parentOrNull();
        while (!normal.type().isNormal() && parent != null) {
            normal = parent;
            parent = normal.parentOrNull();
        }
        return normal.depth() >= untilDepth ? List.of() : normal.children();
    }

    private CpuSet cpus(TopologyObject object) {
        return object.cpuSet().intersection(within);
    }

    private static long roundedUp(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
