package org.berth.numavm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/** The model of the live machine, compared with the kernel's own files and lstopo. */
final class TopologyChecks {
    private static final Path NODES = Path.of("/sys/devices/system/node");
    private static final Map<String, ObjectType> COUNTED = Map.of(
            "package", ObjectType.PACKAGE,
            "core", ObjectType.CORE,
            "pu", ObjectType.PU,
            "numanode", ObjectType.NUMA_NODE,
            "l2cache", ObjectType.L2_CACHE,
            "l3cache", ObjectType.L3_CACHE);

    private TopologyChecks() {}

    static void run(Checks checks, Topology machine) {
        checks.check("objects are counted as lstopo counts them", () -> {
            for (Map.Entry<String, ObjectType> type : COUNTED.entrySet()) {
                Checks.same(type.getKey(), lstopoCount(type.getKey()), (long) machine.count(type.getValue()));
            }
        });
        checks.check("memory nodes are those of the kernel, each with its CPUs", () -> {
            NodeSet online = NodeSet.parseList(read(NODES.resolve("online")));
            Checks.same("nodes", online, machine.nodeSet());
            for (int node : online.toArray()) {
                CpuSet cpus = CpuSet.parseList(read(NODES.resolve("node" + node + "/cpulist")));
                Checks.same(
                        "CPUs of node " + node,
                        cpus,
                        machine.numaNode(node).orElseThrow().cpuSet());
                Checks.same("nodes near " + cpus, NodeSet.of(node), machine.nodesNear(cpus));
                Checks.same("CPUs near node " + node, cpus, machine.cpusNear(NodeSet.of(node)));
            }
        });
        checks.check("distances are those of the firmware", () -> {
            List<TopologyObject> nodes = machine.objects(ObjectType.NUMA_NODE);
            if (nodes.size() > 1) {
                Distances latencies = machine.distances(ObjectType.NUMA_NODE).get(0);
                for (TopologyObject from : nodes) {
                    String[] row = read(NODES.resolve("node" + from.osIndex() + "/distance"))
                            .split(" ", -1);
                    for (TopologyObject to : nodes) {
                        Checks.same(from + " to " + to, row[to.osIndex()], "" + latencies.value(from, to));
                    }
                }
            }
        });
        checks.check("the NIC and the disk are near the node that the kernel names", () -> {
            for (String device : List.of("eth0", "vdb")) {
                Path above =
                        Path.of(device.equals("eth0") ? "/sys/class/net/eth0/device" : "/sys/class/block/vdb/device");
                int node = Integer.parseInt(read(above.resolve("../numa_node")));
                TopologyObject found = machine.device(device).orElseThrow();
                Checks.same(device, NodeSet.of(node), machine.locality(found).nodes());
                Checks.same(
                        device,
                        machine.numaNode(node).orElseThrow().cpuSet(),
                        machine.locality(found).cpus());
            }
        });
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static long lstopoCount(String type) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/lstopo-no-graphics", "--only", type));
        // Where newer releases say that there is no such level.
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output.lines().filter(line -> !line.isBlank()).count();
    }
}
