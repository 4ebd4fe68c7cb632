package org.berth.binding;

import java.io.IOException;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.discovery.DiscoveryOptions;
import org.berth.binding.errors.BindingException;
import org.berth.observation.ProcessStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;

/** The machine as hwloc sees it, narrowed to what this process may use. Immutable. */
final class OpenMachine implements LocalMachine {
    private final Topology topology;
    private final boolean thisMachine;

    private OpenMachine(Topology topology, boolean thisMachine) {
        this.topology = topology;
        this.thisMachine = thisMachine;
    }

    static LocalMachine open(DiscoveryOptions options) {
        Discovery.Snapshot snapshot = Discovery.liveSnapshot(options);
        Topology whole = TopologyXml.parse(snapshot.xml());
        return new OpenMachine(snapshot.thisMachine() ? narrowed(whole) : whole, snapshot.thisMachine());
    }

    static LocalMachine openWithin(CpuSet cpus) {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("no CPU is given");
        }
        Discovery.Snapshot snapshot = Discovery.liveSnapshot(DiscoveryOptions.defaults());
        Topology whole = TopologyXml.parse(snapshot.xml());
        return new OpenMachine(
                snapshot.thisMachine() ? narrowed(whole, cpus, ownNodes(ownStatus())) : whole, snapshot.thisMachine());
    }

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public boolean isThisMachine() {
        return thisMachine;
    }

    @Override
    public BindingCapabilities capabilities() {
        return CapabilityProbe.probe(topology, thisMachine);
    }

    @Override
    public Binder binder() {
        if (!thisMachine) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "bind to",
                    "the machine shown by hwloc",
                    "",
                    "it is not the one that this process runs on",
                    "discover it without OBEY_ENVIRONMENT");
        }
        return new LocalBinder(topology);
    }

    private static Topology narrowed(Topology whole) {
        ProcessStatus self = ownStatus();
        String cpus = self.field("Cpus_allowed_list").orElse("");
        return narrowed(whole, cpus.isEmpty() ? CpuSet.full() : CpuSet.parseList(cpus), ownNodes(self));
    }

    private static Topology narrowed(Topology whole, CpuSet cpus, NodeSet nodes) {
        if (!whole.allowedCpuSet().intersects(cpus)) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "open",
                    "this machine",
                    "",
                    "hwloc sees CPUs " + whole.allowedCpuSet() + " but this process may use only " + cpus,
                    "/sys or /proc does not belong to this system");
        }
        return whole.withAllowed(cpus, nodes);
    }

    private static ProcessStatus ownStatus() {
        try {
            return ProcessStatus.self();
        } catch (IOException e) {
            throw BindingException.of(
                    FailureKind.FAILED,
                    "read",
                    "/proc/self/status",
                    String.valueOf(e.getMessage()),
                    "is /proc mounted?",
                    e);
        }
    }

    /** A kernel without NUMA has no such line, and one node. */
    private static NodeSet ownNodes(ProcessStatus self) {
        String nodes = self.field("Mems_allowed_list").orElse("");
        return nodes.isEmpty() ? NodeSet.full() : NodeSet.parseList(nodes);
    }
}
