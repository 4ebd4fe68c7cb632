package org.berth.microbenchmarks;

import java.util.List;
import org.berth.binding.discovery.Discovery;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.openjdk.jol.info.GraphLayout;

/** What a topology takes in the heap: everything that it reaches, counted by JOL, over the number of its objects. */
final class MemoryFootprint {
    private static final List<Machine> MACHINES = List.of(
            new Machine("256 PUs", Workload.MACHINE_256),
            new Machine("2,048 PUs", Workload.MACHINE_2048),
            new Machine("4,096 PUs", Workload.MACHINE_4096));

    private record Machine(String name, String description) {}

    private MemoryFootprint() {}

    /** Name of this report on the command line. */
    static final String WORD = "memory";

    static String markdown() {
        // Without it JOL cannot see into records.
        System.setProperty("jol.magicFieldOffset", "true");
        StringBuilder table =
                new StringBuilder("| machine | objects | heap, KiB | bytes an object |\n|---|---:|---:|---:|\n");
        for (Machine machine : MACHINES) {
            Topology topology = Discovery.synthetic(machine.description());
            int objects = 0;
            for (ObjectType type : ObjectType.values()) {
                objects += topology.count(type);
            }
            long bytes = GraphLayout.parseInstance(topology).totalSize();
            table.append(String.format(
                    "| %s | %,d | %,d | %,d |%n", machine.name(), objects, bytes / 1024, bytes / objects));
        }
        return table.toString();
    }
}
