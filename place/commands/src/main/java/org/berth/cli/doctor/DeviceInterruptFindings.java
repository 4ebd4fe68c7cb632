package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.berth.binding.internal.interrupts.InterruptBinding;
import org.berth.observation.Reading;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** Whether disks and network adapters interrupt the same cores or packages. A pure function. */
final class DeviceInterruptFindings {
    private static final int SHOWN = 4;

    private DeviceInterruptFindings() {}

    /**
     * Interrupts that the kernel manages cannot be moved, but count too.
     *
     * @param serves whether the examined process serves both disks and networks: then sharing is a warning
     */
    static Finding shared(Topology topology, InterruptMap map, boolean serves) {
        String check = "disk-and-network-interrupts";
        CpuSet disks = handling(map, DeviceInterrupts.Kind.DISK);
        CpuSet networks = handling(map, DeviceInterrupts.Kind.NETWORK);
        if (map.unread().isPresent()) {
            return Finding.unknown(check, map.unread().get());
        }
        if (disks.isEmpty() || networks.isEmpty()) {
            String missing = disks.isEmpty() ? "disk" : "network adapter";
            return Finding.info(check, "no interrupts of a " + missing + " are visible: nothing to compare", "");
        }
        List<String> cores = shared(topology, ObjectType.CORE, disks, networks);
        List<String> packages = shared(topology, ObjectType.PACKAGE, disks, networks);
        boolean manyPackages = topology.count(ObjectType.PACKAGE) > 1;
        String read = "disks interrupt CPUs " + disks + ", network adapters CPUs " + networks;
        if (cores.isEmpty() && (packages.isEmpty() || !manyPackages)) {
            return Finding.ok(check, read + ": no common core or package");
        }
        String where = cores.isEmpty()
                ? "the same package (" + String.join(", ", packages) + ")"
                : "the same " + (cores.size() == 1 ? "core (" : "cores (") + String.join(", ", cores) + ")";
        String fix = "berth irq --spread --dry-run shows how to separate them, berth irq --spread (as root) does it;"
                + " interrupts that the kernel manages stay";
        return serves
                ? Finding.warning(check, read + ": " + where, fix)
                : Finding.info(check, read + ": " + where, fix);
    }

    /** @param moved interrupts that {@code berth irq --spread} moved and that were not restored */
    static List<Finding> moved(List<InterruptBinding.Moved> moved, Reading<Boolean> irqbalance) {
        if (moved.isEmpty()) {
            return List.of();
        }
        String read = Words.count(moved.size(), "interrupt") + " moved by berth irq --spread";
        return List.of(
                irqbalance.orElse(false)
                        ? Finding.warning(
                                "moved-interrupts",
                                read + ", but irqbalance runs and may move them again",
                                "stop irqbalance, or exclude them there (--banirq=NUMBER); berth irq shows their CPUs")
                        : Finding.ok("moved-interrupts", read + "; berth irq --restore undoes it"));
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
