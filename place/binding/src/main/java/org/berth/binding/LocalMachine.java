package org.berth.binding;

import java.io.IOException;
import java.util.Optional;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.discovery.DiscoveryFlag;
import org.berth.binding.discovery.DiscoveryOptions;
import org.berth.binding.errors.BindingException;
import org.berth.observation.ProcessStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;

/**
 * The machine that this JVM runs on, as it was when opened, and the means to bind to it.
 *
 * <p>Its allowed sets are what hwloc finds allowed (cgroups), narrowed by the masks that the process inherited
 * (taskset, numactl, a batch system): the {@code Cpus_allowed_list} and {@code Mems_allowed_list} of the leader thread
 * in /proc/self/status. With {@link DiscoveryFlag#OBEY_ENVIRONMENT} hwloc may show a recorded machine instead; the
 * topology is then that machine's and nothing can be bound. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class LocalMachine {
    private final Topology topology;
    private final boolean thisMachine;

    private LocalMachine(Topology topology, boolean thisMachine) {
        this.topology = topology;
        this.thisMachine = thisMachine;
    }

    /**
     * Discovers the machine.
     *
     * @throws BindingException when the native library or hwloc cannot be loaded, or nothing is left to this process
     */
    public static LocalMachine open() {
        return open(DiscoveryOptions.defaults());
    }

    /**
     * Discovers the machine, or is empty, with a warning of {@link System.Logger}, where that cannot be: on another operating system
     * than Linux, without the native library, or where it may not be loaded. For programs that run on without.
     */
    public static Optional<LocalMachine> tryOpen() {
        try {
            return Optional.of(open());
        } catch (BindingException e) {
            System.getLogger(LocalMachine.class.getName())
                    .log(System.Logger.Level.WARNING, "berth: nothing is bound: " + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Discovers the machine with the given options.
     *
     * @throws BindingException as {@link #open()}, and when hwloc does not know a component
     */
    public static LocalMachine open(DiscoveryOptions options) {
        Discovery.Snapshot snapshot = Discovery.liveSnapshot(options);
        Topology whole = TopologyXml.parse(snapshot.xml());
        return new LocalMachine(snapshot.thisMachine() ? narrowed(whole) : whole, snapshot.thisMachine());
    }

    /**
     * Discovers the machine as it is now, narrowed by the given CPUs instead of the mask that this process has: for
     * callers that have bound the process themselves and want to see beyond, as after a change of its cpuset.
     *
     * @param cpus kernel numbers; those that the cpuset does not have are left out
     * @throws BindingException as {@link #open()}
     */
    public static LocalMachine openWithin(CpuSet cpus) {
        Discovery.Snapshot snapshot = Discovery.liveSnapshot(DiscoveryOptions.defaults());
        Topology whole = TopologyXml.parse(snapshot.xml());
        return new LocalMachine(
                snapshot.thisMachine() ? narrowed(whole, cpus, ownNodes(ownStatus())) : whole, snapshot.thisMachine());
    }

    /** The immutable model; its allowed sets are those of this process. */
    public Topology topology() {
        return topology;
    }

    /** Whether the topology is of the machine that this process runs on ({@code hwloc_topology_is_thissystem}). */
    public boolean isThisMachine() {
        return thisMachine;
    }

    /** Which operations work here, found out by trying them with a few system calls ({@code hwloc_topology_get_support}). */
    public BindingCapabilities capabilities() {
        return CapabilityProbe.probe(topology, thisMachine);
    }

    /**
     * Binds inside the allowed sets of {@link #topology()}.
     *
     * @throws BindingException when the topology is of another machine
     */
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
        return new Binder(topology.allowedCpuSet(), topology.allowedNodeSet(), topology.allowedCores());
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
