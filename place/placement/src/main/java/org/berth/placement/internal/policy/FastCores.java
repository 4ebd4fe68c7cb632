package org.berth.placement.internal.policy;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.internal.parts.Core;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** The kinds of CPUs of a machine: performance and efficiency cores. */
final class FastCores {
    private FastCores() {}

    /** Whether CPUs of several kinds are usable, and the machine tells which are faster. */
    static boolean isRanked(Topology topology, CpuSet usable) {
        List<CpuKind> kinds = kinds(topology, usable);
        return kinds.size() > 1 && kinds.stream().allMatch(kind -> kind.efficiency() >= 0);
    }

    /** Cores of faster kinds first, where that is known; otherwise as they are. */
    static List<Core> first(Topology topology, CpuSet usable, List<Core> cores) {
        if (!isRanked(topology, usable)) {
            return cores;
        }
        return cores.stream()
                .sorted(Comparator.comparingInt((Core core) -> efficiency(topology, core))
                        .reversed())
                .toList();
    }

    static int efficiency(Topology topology, Core core) {
        return topology.cpuKind(core.cpus().first()).map(CpuKind::efficiency).orElse(-1);
    }

    /** The note for a plan over CPUs of several kinds; empty when there is one. */
    static List<String> notes(Topology topology, CpuSet usable, AffinityLevel level) {
        List<CpuKind> kinds = kinds(topology, usable);
        if (kinds.size() < 2) {
            return List.of();
        }
        boolean sorted = OrderedLevel.hasOrder(level) && isRanked(topology, usable);
        List<CpuKind> shown = sorted
                ? kinds.stream()
                        .sorted(Comparator.comparingInt(CpuKind::efficiency).reversed())
                        .toList()
                : kinds;
        String list = shown.stream()
                .map(kind -> HostPart.pus(kind.cpus().intersection(usable)))
                .collect(Collectors.joining("; "));
        return List.of("CPUs of " + kinds.size() + " kinds, "
                + (sorted ? "faster ones are taken first: " : "whose speed may differ: ") + list);
    }

    private static List<CpuKind> kinds(Topology topology, CpuSet usable) {
        return topology.cpuKinds().stream()
                .filter(kind -> kind.cpus().intersects(usable))
                .toList();
    }
}
