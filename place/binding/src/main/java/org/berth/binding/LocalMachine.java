package org.berth.binding;

import java.util.Optional;
import org.berth.binding.discovery.DiscoveryFlag;
import org.berth.binding.discovery.DiscoveryOptions;
import org.berth.binding.errors.BindingException;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

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
public interface LocalMachine {
    /**
     * Discovers the machine.
     *
     * @throws BindingException when the native library or hwloc cannot be loaded, or nothing is left to this process
     */
    static LocalMachine open() {
        return open(DiscoveryOptions.defaults());
    }

    /**
     * Discovers the machine, or is empty, with a warning of {@link System.Logger}, where that cannot be: on another operating system
     * than Linux, without the native library, or where it may not be loaded. For programs that run on without.
     */
    static Optional<LocalMachine> tryOpen() {
        try {
            return Optional.of(open());
        } catch (BindingException e) {
            UnboundMachine.tell(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /**
     * Discovers the machine; where that cannot be, a machine with a core for each processor that the JVM counts, to which nothing is
     * bound, as by {@link Binder#none()}: pools have as many threads as they would have, and run unbound. The first one is a warning
     * of {@link System.Logger} with the reason, and {@link #isThisMachine()} is false.
     */
    static LocalMachine openOrUnbound() {
        try {
            return open();
        } catch (BindingException e) {
            return UnboundMachine.because(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Discovers the machine with the given options ({@code hwloc_topology_load}).
     *
     * @throws BindingException as {@link #open()}, and when hwloc does not know a component
     */
    static LocalMachine open(DiscoveryOptions options) {
        return OpenMachine.open(options);
    }

    /**
     * Discovers the machine as it is now, narrowed by the given CPUs instead of the mask that this process has: for
     * callers that have bound the process themselves and want to see beyond, as after a change of its cpuset.
     *
     * @param cpus kernel numbers; those that the cpuset does not have are left out
     * @throws IllegalArgumentException when there is none
     * @throws BindingException as {@link #open()}
     */
    static LocalMachine openWithin(CpuSet cpus) {
        return OpenMachine.openWithin(cpus);
    }

    /** The immutable model; its allowed sets are those of this process. */
    Topology topology();

    /** Whether the topology is of the machine that this process runs on ({@code hwloc_topology_is_thissystem}). */
    boolean isThisMachine();

    /** Which operations work here, found out by trying them with a few system calls ({@code hwloc_topology_get_support}). */
    BindingCapabilities capabilities();

    /**
     * Binds inside the allowed sets of {@link #topology()}.
     *
     * @throws BindingException when the topology is of another machine
     */
    Binder binder();
}
