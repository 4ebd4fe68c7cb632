package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementRequest;
import org.berth.text.ForeignText;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.DeviceLocality;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/** The CPUs that a plan may use, and what has to be said about how they were found. */
public record UsableCpus(CpuSet cpus, List<String> notes) {
    private static final int MAX_NAMES = 20;

    /** The CPUs that the request allows, near its device if it names one. */
    public static UsableCpus of(Topology topology, PlacementRequest request) {
        UsableCpus everywhere = everywhere(topology, request);
        if (request.nearDevice().isEmpty()) {
            return everywhere;
        }
        String device = request.nearDevice().get();
        CpuSet near = near(topology, device, everywhere.cpus);
        return new UsableCpus(near, nearness(topology, device));
    }

    /** The CPUs that the request allows, wherever its device is. */
    public static UsableCpus everywhere(Topology topology, PlacementRequest request) {
        CpuSet cpus = topology.allowedCpuSet().intersection(topology.cpuSet());
        if (cpus.isEmpty()) {
            throw new PlacementException("this machine's description allows no CPU: nothing can be placed");
        }
        return new UsableCpus(
                request.within().isPresent() ? within(cpus, request.within().get()) : cpus, List.of());
    }

    /** Finds a device; if none has this name, the error lists the known ones on one line. */
    static DeviceLocality locality(Topology topology, String device) {
        return topology.locality(topology.device(device)
                .orElseThrow(() -> new PlacementException(
                        "unknown device '" + Words.quote(device) + "': " + knownDevices(topology))));
    }

    /** A note for a device that makes no difference. */
    static List<String> nearness(Topology topology, String device) {
        return locality(topology, device).cpus().containsAll(topology.cpuSet())
                ? List.of("device " + ForeignText.clean(device) + " is equally near to every CPU of this machine")
                : List.of();
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

    private static CpuSet near(Topology topology, String device, CpuSet usable) {
        CpuSet local = locality(topology, device).cpus();
        CpuSet near = local.intersection(usable);
        if (near.isEmpty()) {
            throw new PlacementException("device '" + Words.quote(device) + "' is near CPUs " + local
                    + ", and none of them may be used here (" + usable + "): allow some or drop the device");
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
        return "choose one of " + ForeignText.clean(String.join(", ", shown)) + more;
    }
}
