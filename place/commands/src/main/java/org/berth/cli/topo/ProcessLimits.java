package org.berth.cli.topo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.shared.TargetMachine;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.process.ControlGroupLimits;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/** The parts of a machine that this process may use, and the reasons of the limits. */
final class ProcessLimits {
    static final String BY_CPUSET = "Limited by the cpuset";

    private final Path root;

    ProcessLimits() {
        this(Path.of("/"));
    }

    /** @param root another directory in tests, with a recorded /proc and /sys */
    ProcessLimits(Path root) {
        this.root = root;
    }

    /** "This process may use 1 of 2 PUs (0) and 1 of 1 NUMA nodes (0)." and the reasons when that is not all. */
    List<String> describe(TargetMachine machine) {
        Topology topology = machine.topology();
        List<String> lines = new ArrayList<>();
        if (machine.origin() != TargetMachine.Origin.LIVE) {
            lines.add("A process there may use " + usable(topology));
            return lines;
        }
        lines.add("This process may use " + usable(topology));
        lines.addAll(reasons(topology.allowedCpuSet()));
        return lines;
    }

    private static String usable(Topology topology) {
        CpuSet allowed = topology.allowedCpuSet();
        int pus = topology.count(ObjectType.PU);
        int nodes = topology.count(ObjectType.NUMA_NODE);
        return allowed.size() + " of " + Words.count(pus, "PU") + " (" + allowed + ") and "
                + topology.allowedNodeSet().size() + " of " + Words.count(nodes, "NUMA node") + " ("
                + topology.allowedNodeSet() + ").";
    }

    /** Why not the whole machine is allowed: the control group's cpuset, and the affinity mask; or why that is not known. */
    List<String> reasons(CpuSet allowed) {
        return new SystemFiles(root)
                .cpuList("sys/devices/system/cpu/online")
                .fold(
                        online -> reasons(allowed, online),
                        absent -> List.of("Whether the machine has more CPUs is not known: " + absent + "."),
                        refusal -> List.of("Whether the machine has more CPUs is not known: " + refusal + "."));
    }

    private List<String> reasons(CpuSet allowed, CpuSet online) {
        List<String> lines = new ArrayList<>();
        if (allowed.containsAll(online)) {
            return lines;
        }
        ControlGroupLimits limits = ControlGroupLimits.of("self", root);
        CpuSet group = limits.cpus().orElse(online).intersection(online);
        if (!group.containsAll(online)) {
            lines.add(BY_CPUSET + " of control group " + limits.cpusetGroup() + ": CPUs " + group + " of " + online
                    + ".");
        }
        boolean narrower = !allowed.containsAll(group);
        limits.cpus()
                .refusal()
                .ifPresent(refusal -> lines.add("Limited to CPUs " + allowed + " of " + online
                        + " by an affinity mask or a cpuset; which is not known: " + refusal + "."));
        if (narrower && limits.cpus().refusal().isEmpty()) {
            lines.add("Limited by the inherited affinity mask (taskset, numactl, a batch system): CPUs " + allowed
                    + " of " + group + ".");
        }
        return lines;
    }
}
