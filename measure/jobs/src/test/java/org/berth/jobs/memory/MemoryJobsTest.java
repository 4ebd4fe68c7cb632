package org.berth.jobs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.jobs.JobProcess;
import org.berth.machines.Machines;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
@Tag("long")
@Timeout(300)
class MemoryJobsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(classes = {Bandwidth.class, Latency.class})
    void givesTheSameResultWhereverItRuns(Class<?> job) throws Exception {
        JobProcess.Run matrix = JobProcess.run(folder, job, "--scale", "1", "--rounds", "2");
        JobProcess.Run two = JobProcess.run(folder, job, "--scale", "1", "--rounds", "2", "--threads", "2");
        JobProcess.Run unbound = JobProcess.run(folder, job, "--scale", "1", "--rounds", "2", "--unbound");
        JobProcess.Run oneCpu = JobProcess.runOnOneCpu(folder, job, "--scale", "1", "--rounds", "2");
        JobProcess.Run other = JobProcess.run(folder, job, "--scale", "1", "--rounds", "2", "--seed", "7");

        assertThat(List.of(two.result(), unbound.result(), oneCpu.result())).containsOnly(matrix.result());
        assertThat(other.result()).isNotEqualTo(matrix.result());
        assertThat(unbound.out()).contains("the JVM's CPUs").contains("first touch");
        assertThat(unbound.err()).isEmpty();
        assertThat(oneCpu.out()).contains("(1 thread)");
        assertThat(matrix.out().contains("one memory node")).isEqualTo(memoryNodes() == 1);
    }

    @Test
    void hasOneCellForEachPairOfNodes() throws Exception {
        JobProcess.Run run = JobProcess.run(folder, Latency.class, "--scale", "1", "--rounds", "1", "--json");

        long nodes = memoryNodes();
        assertThat(run.out())
                .startsWith("{\"job\":\"latency\",\"unit\":\"ns\",\"seconds\":")
                .hasLineCount(1);
        assertThat(run.out().split("\"cpusOfNode\":\\d+,\"memoryOnNode\":\\d+,\"threads\":1,\"load\":[0-9.]+}", -1))
                .hasSize((int) (nodes * nodes) + 1);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void pairsTheAllowedCpusOfEachNodeWithEachMemory() {
        Topology machine = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));
        assertThat(pairs(machine)).containsExactly("0 0 0-7", "0 1 0-7", "1 0 8-15", "1 1 8-15");

        Topology narrow = machine.withAllowed(CpuSet.range(6, 8), NodeSet.full());
        assertThat(pairs(narrow)).containsExactly("0 0 6-7", "0 1 6-7", "1 0 8", "1 1 8");

        Topology oneNode = machine.withAllowed(CpuSet.range(0, 7), NodeSet.full());
        assertThat(pairs(oneNode)).containsExactly("0 0 0-7", "0 1 0-7");
    }

    /** Nodes 0 and 8 are fast and slow memory of the same CPUs. */
    @Test
    void takesCpusWithSeveralMemoriesOnce() {
        Topology machine = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));

        assertThat(pairs(machine)).contains("0 0 0-1", "0 8 0-1", "1 8 2-3").noneMatch(pair -> pair.startsWith("8 "));
    }

    private static List<String> pairs(Topology machine) {
        return MemoryPlaces.matrix(machine).stream()
                .map(place -> place.cpusOfNode().orElseThrow() + " "
                        + place.memoryOnNode().orElseThrow() + " "
                        + place.cpus().orElseThrow())
                .toList();
    }

    @Test
    void saysInOneLineWhatIsWrong() throws Exception {
        JobProcess.run(folder, Bandwidth.class, "--scale", "4096")
                .assertFails(
                        2,
                        "bandwidth: Invalid value for option '--scale': '4096' is greater than 2047 (--help lists the options)");
        JobProcess.run(folder, Latency.class, "--json=yes")
                .assertFails(
                        2,
                        "latency: Invalid value for option '--json': 'yes' is not a boolean (--help lists the options)");
        JobProcess.Run memory =
                JobProcess.run(folder, List.of(), List.of("-Xmx64m"), Latency.class, "--unbound", "--scale", "128");
        assertThat(memory.err())
                .startsWith("berth: latency: out of memory (Cannot reserve ")
                .endsWith("); use a smaller --scale or a larger -Xmx\n")
                .hasLineCount(1);
        assertThat(memory.exitCode()).isEqualTo(1);
    }

    private static long memoryNodes() throws IOException {
        try (Stream<Path> nodes = Files.list(Path.of("/sys/devices/system/node"))) {
            return nodes.filter(node -> node.getFileName().toString().matches("node\\d+"))
                    .count();
        }
    }
}
