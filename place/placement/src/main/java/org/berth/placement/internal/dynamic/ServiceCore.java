package org.berth.placement.internal.dynamic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuSet;

/**
 * A core that a service thread may get, and its classes. Immutable.
 *
 * @param label "core L#3"; a PU that has no core says "PU L#3"
 * @param cpus its usable CPUs by osIndex, at least one
 * @param disk its relation to the disk's interrupt-handling cores; empty when those are unknown
 * @param network its relation to the network's; empty when those are unknown, or all cores are
 * @param nearDisk whether all of it is near the disk itself
 * @since 0.1.0
 */
public record ServiceCore(
        String label,
        CpuSet cpus,
        Optional<InterruptRelation> disk,
        Optional<InterruptRelation> network,
        boolean nearDisk) {
    /** The class by the disk, then that by the network, as far as they are known. */
    public List<AffinityClass> classes() {
        List<AffinityClass> classes = new ArrayList<>();
        disk.ifPresent(relation -> classes.add(AffinityClass.of(true, relation)));
        network.ifPresent(relation -> classes.add(AffinityClass.of(false, relation)));
        return classes;
    }

    /** Whether it is the network's interrupt-handling core, on which no service thread is put. */
    public boolean avoided() {
        return network.equals(Optional.of(InterruptRelation.SAME));
    }

    /** "core L#3 (PUs 3,19)". */
    String words() {
        return label + " (" + HostPart.pus(cpus) + ")";
    }
}
