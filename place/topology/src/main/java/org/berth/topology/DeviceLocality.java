package org.berth.topology;

/**
 * The attachment point of a device.
 *
 * @param near the nearest ancestor that has CPUs ({@code hwloc_get_non_io_ancestor_obj})
 * @param cpus the CPUs of {@code near}, allowed or not: intersect them with {@link Topology#allowedCpuSet()} to bind to them
 * @param nodes the memory nodes of {@code near}, allowed or not
 * @since 0.1.0
 */
public record DeviceLocality(TopologyObject device, TopologyObject near, CpuSet cpus, NodeSet nodes) {}
