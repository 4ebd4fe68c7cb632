package org.berth.probes;

import org.berth.topology.CpuSet;

/**
 * Where a thread of a probe runs.
 *
 * @param name short and unique in its probe, such as "DS"
 * @param cpus osIndexes; at least one that this process may use
 */
public record ProbePlace(String name, CpuSet cpus) {}
