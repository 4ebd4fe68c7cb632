/**
 * Describes the machine as an immutable tree of packages, caches, cores, processing units, memory nodes and devices, with sets of CPUs
 * and memory nodes and the queries over them. Read {@code Topology}, {@code TopologyObject} and {@code CpuSet} first.
 */
@NullMarked
package org.berth.topology;

import org.jspecify.annotations.NullMarked;
