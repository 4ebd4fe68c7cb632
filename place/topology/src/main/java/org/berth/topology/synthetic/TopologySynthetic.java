package org.berth.topology.synthetic;

import java.util.Set;
import org.berth.topology.Topology;

/**
 * Writes a machine as a line of text such as "Package:2 [NUMANode(memory=1073741824)] Core:8 PU:2", which hwloc can read.
 * Pure functions, for any thread.
 *
 * @since 0.1.0
 */
public final class TopologySynthetic {
    private TopologySynthetic() {}

    /** Parts to leave out ({@code hwloc_topology_export_synthetic_flags_e}, without those for hwloc 1.x). */
    public enum Option {
        /** Neither sizes nor the kernel's numbers. */
        NO_ATTRIBUTES,
        /** The CPUs alone, as if all memory were one node. */
        IGNORE_MEMORY
    }

    /**
     * The description of a machine ({@code hwloc_topology_export_synthetic}); devices, misc objects and offline CPUs are
     * not part of it.
     *
     * @throws IllegalArgumentException when the machine is not symmetric: no such line describes it
     */
    public static String write(Topology topology, Option... options) {
        return new SyntheticWriter(topology, Set.of(options)).write();
    }
}
