package org.berth.placement;

import java.util.ArrayList;
import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.DeviceLocality;
import org.berth.topology.ObjectAttributes;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/** The CPUs that a plan may use, and what has to be said about how they were found. */
record UsableCpus(CpuSet cpus, List<String> notes) {
    private static final int MAX_NAMES = 20;

    static UsableCpus of(Topology topology, PlacementRequest request) {
        List<String> notes = new ArrayList<>();
        CpuSet cpus = topology.allowedCpuSet().intersection(topology.cpuSet());
        if (cpus.isEmpty()) {
            throw new PlacementException("this machine's description allows no CPU: nothing can be placed");
        }
        if (request.within().isPresent()) {
            cpus = within(cpus, request.within().get());
        }
        if (request.nearDevice().isPresent()) {
            cpus = near(topology, request.nearDevice().get(), cpus, notes);
        }
        return new UsableCpus(cpus, notes);
    }

    private static CpuSet within(CpuSet allowed, CpuSet within) {
        // An open range such as "4-" means "from there on"; CPUs that are named one by one must all be there.
        CpuSet outside = within.isInfinite() ? CpuSet.empty() : within.minus(allowed);
        CpuSet usable = within.intersection(allowed);
        if (!outside.isEmpty()) {
            throw new PlacementException("CPUs " + outside + " of the requested " + within
                    + " are not in the allowed set " + allowed + ": ask for allowed CPUs only");
        }
        if (usable.isEmpty()) {
            throw new PlacementException("none of the requested CPUs '" + within + "' is in the allowed set " + allowed
                    + ": ask for at least one of them");
        }
        return usable;
    }

    private static CpuSet near(Topology topology, String name, CpuSet usable, List<String> notes) {
        TopologyObject device = topology.device(name)
                .orElseThrow(() -> new PlacementException(
                        "unknown device '" + PlanLine.shortened(name) + "': " + knownDevices(topology)));
        DeviceLocality locality = topology.locality(device);
        CpuSet near = locality.cpus().intersection(usable);
        if (near.isEmpty()) {
            throw new PlacementException("device '" + PlanLine.shortened(name) + "' is near CPUs " + locality.cpus()
                    + ", and none of them may be used here (" + usable + "): allow some or drop the device");
        }
        if (locality.cpus().containsAll(topology.cpuSet())) {
            notes.add("device " + PlanLine.clean(name) + " is equally near to every CPU of this machine");
        }
        return near;
    }

    private static String knownDevices(Topology topology) {
        List<String> names = new ArrayList<>();
        for (TopologyObject device : topology.objects(ObjectType.OS_DEVICE)) {
            device.name().ifPresent(names::add);
        }
        for (TopologyObject device : topology.objects(ObjectType.PCI_DEVICE)) {
            if (device.attributes() instanceof ObjectAttributes.Pci pci) {
                names.add(pci.busId());
            }
        }
        if (names.isEmpty()) {
            return "this machine's description holds no devices";
        }
        String more = names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "";
        List<String> shown = names.subList(0, Math.min(MAX_NAMES, names.size()));
        return "choose one of " + PlanLine.clean(String.join(", ", shown)) + more;
    }
}
