package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.berth.binding.InterruptBinding;
import org.berth.drawing.text.Labels;
import org.berth.observation.DeviceInterrupts;
import org.berth.observation.InterruptMap;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/** Whether disks and network adapters interrupt the same parts of a machine. A pure function. */
final class DeviceInterruptFindings {
    private static final int SHOWN = 4;

    private DeviceInterruptFindings() {}

    /**
     * Interrupts that the kernel manages cannot be moved, but still share.
     *
     * @param serves whether the process in question serves both disks and networks: then sharing is a warning
     */
    static Finding shared(Topology topology, InterruptMap map, boolean serves) {
        String check = "disk-and-network-interrupts";
        CpuSet disks = handling(map, DeviceInterrupts.Kind.DISK);
        CpuSet networks = handling(map, DeviceInterrupts.Kind.NETWORK);
        if (disks.isEmpty() || networks.isEmpty()) {
            String missing = disks.isEmpty() ? "disk" : "network adapter";
            return Finding.info(check, "no " + missing + " is seen to interrupt: nothing to compare", "");
        }
        List<String> cores = shared(topology, ObjectType.CORE, disks, networks);
        List<String> packages = shared(topology, ObjectType.PACKAGE, disks, networks);
        boolean manyPackages = topology.count(ObjectType.PACKAGE) > 1;
        String read = "disks interrupt CPUs " + disks + ", network adapters CPUs " + networks;
        if (cores.isEmpty() && (packages.isEmpty() || !manyPackages)) {
            return Finding.ok(check, read + ": apart");
        }
        String where = cores.isEmpty()
                ? "the same package (" + String.join(", ", packages) + ")"
                : "the same " + (cores.size() == 1 ? "core (" : "cores (") + String.join(", ", cores) + ")";
        String fix = "berth irq --spread --dry-run shows what would part them, berth irq --spread (as root) does it;"
                + " what the kernel manages stays";
        return serves
                ? Finding.warning(check, read + ": " + where, fix)
                : Finding.info(check, read + ": " + where, fix);
    }

    /** @param moved what {@code berth irq --spread} moved and nobody gave back */
    static List<Finding> moved(List<InterruptBinding.Moved> moved, boolean irqbalance) {
        if (moved.isEmpty()) {
            return List.of();
        }
        String read = Labels.count(moved.size(), "interrupt") + " moved by berth irq --spread";
        return List.of(
                irqbalance
                        ? Finding.warning(
                                "moved-interrupts",
                                read + ", and irqbalance runs, which may move them again",
                                "stop irqbalance, or ban them there (--banirq=NUMBER); berth irq shows where they are")
                        : Finding.ok("moved-interrupts", read + "; berth irq --restore gives them back"));
    }

    private static CpuSet handling(InterruptMap map, DeviceInterrupts.Kind kind) {
        CpuSet cpus = CpuSet.empty();
        for (DeviceInterrupts device : map.devices()) {
            cpus = device.kind() == kind ? cpus.union(device.handlingCpus()) : cpus;
        }
        return cpus;
    }

    private static List<String> shared(Topology topology, ObjectType type, CpuSet disks, CpuSet networks) {
        List<String> shared = new ArrayList<>();
        for (TopologyObject part : topology.objects(type)) {
            if (part.cpuSet().intersects(disks) && part.cpuSet().intersects(networks)) {
                shared.add("L#" + part.logicalIndex());
            }
        }
        int more = shared.size() - SHOWN;
        if (more > 0) {
            shared.subList(SHOWN, shared.size()).clear();
            shared.add("and " + more + " more");
        }
        return shared;
    }
}
