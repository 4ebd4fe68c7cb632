/**
 * The machine: packages, caches, cores, PUs, memory nodes and devices, as an immutable tree.
 *
 * <pre>{@code
 * Topology machine = TopologyXml.parse(Files.newInputStream(Path.of("machine.xml"))); // lstopo --of xml machine.xml
 * for (TopologyObject node : machine.objects(ObjectType.NUMA_NODE)) {
 *     System.out.println(node + ": CPUs " + node.cpuSet());
 * }
 * CpuSet mine = machine.allowedCpuSet().intersection(CpuSet.parseList("0-7"));
 * NodeSet near = machine.nodesOf(mine);
 * TopologyObject around = machine.covering(mine).orElse(machine.root());
 * machine.device("eth0").ifPresent(card -> System.out.println(machine.locality(card).cpus()));
 * }</pre>
 *
 * <p>The model is hwloc's, so its documentation explains the terms. Nothing here does input or output, keeps static
 * state or calls native code; everything is safe for use by many threads.
 *
 * <p>Read {@code Topology}, {@code TopologyObject} and {@code CpuSet} first. The packages below hold the types of
 * objects, the reader and writer of hwloc's XML, the editor, the differences between two machines and the description
 * in one line. Editing, distance transforms and the synthetic writer have no caller outside tests and samples; they
 * exist for parity with hwloc.
 */
@NullMarked
package org.berth.topology;

import org.jspecify.annotations.NullMarked;
