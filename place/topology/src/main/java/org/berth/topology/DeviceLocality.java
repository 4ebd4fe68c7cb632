package org.berth.topology;

/**
 * Where a device hangs.
 *
 * @param near the nearest ancestor that has CPUs ({@code hwloc_get_non_io_ancestor_obj})
 * @param cpus the CPUs of {@code near}, allowed or not
 * @param nodes the memory nodes of {@code near}, allowed or not
 * @since 0.1.0
 */
public record DeviceLocality(TopologyObject device, TopologyObject near, CpuSet cpus, NodeSet nodes) {}
