package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.numavm.Guest;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The model of the live machine compared with the kernel's own files and lstopo. */
@Tag(Guest.TAG)
@Tag("topology")
class NodesOfTheMachineTest {
    private static final Path NODES = Path.of("/sys/devices/system/node");
    private static final Map<String, ObjectType> COUNTED = Map.of(
            "package", ObjectType.PACKAGE,
            "core", ObjectType.CORE,
            "pu", ObjectType.PU,
            "numanode", ObjectType.NUMA_NODE,
            "l2cache", ObjectType.L2_CACHE,
            "l3cache", ObjectType.L3_CACHE);

    private final Topology machine = Guest.topology();

    @Test
    void objectsAreCountedAsLstopoCountsThem() throws Exception {
        for (Map.Entry<String, ObjectType> type : COUNTED.entrySet()) {
            assertThat((long) machine.count(type.getValue())).as(type.getKey()).isEqualTo(lstopoCount(type.getKey()));
        }
    }

    @Test
    void memoryNodesAreThoseOfTheKernelEachWithItsCpus() throws Exception {
        NodeSet online = NodeSet.parseList(read(NODES.resolve("online")));
        assertThat(machine.nodeSet()).as("nodes").isEqualTo(online);
        for (int node : online.toArray()) {
            CpuSet cpus = CpuSet.parseList(read(NODES.resolve("node" + node + "/cpulist")));
            assertThat(machine.numaNode(node).orElseThrow().cpuSet())
                    .as("CPUs of node " + node)
                    .isEqualTo(cpus);
            assertThat(machine.nodesNear(cpus)).as("nodes near " + cpus).isEqualTo(NodeSet.of(node));
            assertThat(machine.cpusNear(NodeSet.of(node)))
                    .as("CPUs near node " + node)
                    .isEqualTo(cpus);
        }
    }

    @Test
    void distancesAreThoseOfTheFirmware() throws Exception {
        List<TopologyObject> nodes = machine.objects(ObjectType.NUMA_NODE);
        if (nodes.size() > 1) {
            Distances latencies = machine.distances(ObjectType.NUMA_NODE).get(0);
            for (TopologyObject from : nodes) {
                String[] row = read(NODES.resolve("node" + from.osIndex() + "/distance"))
                        .split(" ", -1);
                for (TopologyObject to : nodes) {
                    assertThat("" + latencies.value(from, to))
                            .as(from + " to " + to)
                            .isEqualTo(row[to.osIndex()]);
                }
            }
        }
    }

    @Test
    void theNicAndTheDiskAreNearTheNodeThatTheKernelNames() throws Exception {
        for (String device : List.of("eth0", "vdb")) {
            Path above = Path.of(device.equals("eth0") ? "/sys/class/net/eth0/device" : "/sys/class/block/vdb/device");
            int node = Integer.parseInt(read(above.resolve("../numa_node")));
            TopologyObject found = machine.device(device).orElseThrow();
            assertThat(machine.locality(found).nodes()).as(device).isEqualTo(NodeSet.of(node));
            assertThat(machine.locality(found).cpus())
                    .as(device)
                    .isEqualTo(machine.numaNode(node).orElseThrow().cpuSet());
        }
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
