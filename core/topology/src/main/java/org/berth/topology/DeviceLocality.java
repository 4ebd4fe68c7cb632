package org.berth.topology;

/** Skeleton: where a device hangs. */
public record DeviceLocality(TopologyObject device, TopologyObject near, CpuSet cpus, NodeSet nodes) {}
