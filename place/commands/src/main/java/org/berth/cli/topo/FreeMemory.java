package org.berth.cli.topo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.cli.shared.TargetMachine;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.kernel.NodeMemory;
import org.berth.text.Bytes;
import org.berth.topology.NodeSet;

/** The free memory of each node of a machine that runs; a file and a description have none. */
record FreeMemory(Reading<SortedMap<Integer, NodeMemory>> nodes) {
    static FreeMemory of(TargetMachine machine) {
        return machine.origin() == TargetMachine.Origin.LIVE
                ? of(SystemFiles.LIVE, machine.topology().nodeSet())
                : new FreeMemory(Reading.absent("the machine is described only"));
    }

    /** Those nodes that the topology shows. */
    private static FreeMemory of(SystemFiles files, NodeSet shown) {
        return new FreeMemory(NodeMemory.read(files).map(all -> {
            SortedMap<Integer, NodeMemory> memory = new TreeMap<>(all);
            memory.keySet().removeIf(node -> !shown.contains(node));
            return memory;
        }));
    }

    /** Bytes by osIndex of the node; empty when nothing is known. */
    Map<Integer, Long> bytes() {
        Map<Integer, Long> free = new TreeMap<>();
        nodes.value().ifPresent(known -> known.forEach((node, memory) -> free.put(node, memory.freeBytes())));
        return free;
    }

    /** "NUMA node P#0: 12.3 GiB of 17 GiB free.", or why it is not known. */
    List<String> describe() {
        List<String> lines = new ArrayList<>();
        nodes.value()
                .ifPresent(known -> known.forEach((node, memory) -> lines.add("NUMA node P#" + node + ": "
                        + Bytes.text(memory.freeBytes()) + " of " + Bytes.text(memory.totalBytes()) + " free.")));
        nodes.refusal().ifPresent(refusal -> lines.add("Free memory is not known: " + refusal + "."));
        return lines;
    }
}
