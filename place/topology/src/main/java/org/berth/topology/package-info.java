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
 * <p>A good order to read the code in:
 *
 * <ol>
 *   <li>Sets: {@code IndexSet}, {@code CpuSet} and {@code NodeSet} over {@code Bitmap}.
 *   <li>Objects: {@code ObjectType}, {@code TopologyObject}, {@code ObjectAttributes}; {@code Distances}, {@code CpuKind} and
 *       {@code MemoryAttribute} relate them.
 *   <li>Reading: {@code TopologyXml}, {@code TopologyReader}, {@code ObjectReader} into an {@code ObjectDraft};
 *       {@code TreeChecker} and {@code LevelBuilder} make a {@code TopologyTree} of it.
 *   <li>Queries: {@code Topology}, with {@code Traversal}, {@code Levels}, {@code NodeLocality} and {@code Distribution}.
 *   <li>Writing: {@code TopologyWriter}, {@code ObjectWriter}; {@code Outline} and {@code ObjectText} for people.
 *   <li>Editing: {@code TopologyEditor}, {@code Restriction}, {@code Grouping}; {@code DistanceTransforms};
 *       {@code TopologyDiff}; {@code TopologySynthetic} with {@code SyntheticWriter}. Editing, distance transforms and the
 *       synthetic writer have no caller outside tests and samples: they exist for parity with hwloc, and go first if that is
 *       ever given up.
 * </ol>
 */
@NullMarked
package org.berth.topology;

import org.jspecify.annotations.NullMarked;
