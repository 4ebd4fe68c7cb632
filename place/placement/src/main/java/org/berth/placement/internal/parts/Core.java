package org.berth.placement.internal.parts;

import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.TopologyObject;

/**
 * A core as far as it may be used.
 *
 * @param label "core L#3"; a PU that has no core says "PU L#3"
 * @param cpus its usable CPUs
 * @param pus its usable PUs in logical order, at least one
 */
public record Core(String label, CpuSet cpus, List<TopologyObject> pus) {}
