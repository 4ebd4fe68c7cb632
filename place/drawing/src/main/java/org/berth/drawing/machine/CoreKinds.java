package org.berth.drawing.machine;

import java.util.List;
import java.util.StringJoiner;
import org.berth.drawing.internal.text.Labels;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** Names for the kinds of cores of a hybrid machine; machines of one kind have none. */
final class CoreKinds {
    private final List<CpuKind> kinds;

    CoreKinds(Topology topology) {
        kinds = topology.cpuKinds().size() > 1 ? topology.cpuKinds() : List.of();
    }

    /** "IntelAtom, up to 3.9 GHz", or nothing when all CPUs are of one kind or these are of several. */
    String of(CpuSet cpus) {
        for (CpuKind kind : kinds) {
            if (kind.cpus().containsAll(cpus)) {
                return describe(kind);
            }
        }
        return "";
    }

    private String describe(CpuKind kind) {
        StringJoiner parts = new StringJoiner(Labels.SEPARATOR);
        String type = kind.infos().getOrDefault("CoreType", "");
        if (!type.isEmpty()) {
            parts.add(type);
        }
        if (kind.efficiency() >= 0) {
            parts.add(rank(kind));
        }
        String frequency = kind.infos().getOrDefault("FrequencyMaxMHz", "");
        if (!frequency.isEmpty()) {
            parts.add("up to " + frequency + " MHz");
        }
        return parts.toString();
    }

    /** hwloc's efficiency grows with the power that the CPUs take and give. */
    private String rank(CpuKind kind) {
        int lower = 0;
        int higher = 0;
        for (CpuKind other : kinds) {
            lower += other.efficiency() < kind.efficiency() ? 1 : 0;
            higher += other.efficiency() > kind.efficiency() ? 1 : 0;
        }
        if (lower > 0 && higher > 0) {
            return "medium kind";
        }
        return higher == 0 ? "fast kind" : "economical kind";
    }
}
