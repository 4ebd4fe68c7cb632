package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
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
        StringJoiner parts = new StringJoiner(", ");
        String type = kind.infos().getOrDefault("CoreType", "");
        if (!type.isEmpty()) {
            parts.add(type);
        } else if (kind.efficiency() >= 0) {
            parts.add("kind " + kind.efficiency() + " of " + names());
        }
        String megahertz = kind.infos().getOrDefault("FrequencyMaxMHz", "");
        if (!megahertz.isEmpty()) {
            parts.add("up to " + megahertz + " MHz");
        }
        return parts.toString();
    }

    private String names() {
        List<String> efficiencies = new ArrayList<>();
        kinds.forEach(kind -> efficiencies.add(Integer.toString(kind.efficiency())));
        return String.join("/", efficiencies);
    }
}
