package org.berth.placement;

import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/** Skeleton: one place. */
public record Slot(int index, int worker, int thread, String role, CpuSet cpus, NodeSet memoryNodes, String reason) {}
