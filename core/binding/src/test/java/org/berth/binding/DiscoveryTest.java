package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {
    private static final Map<String, ObjectType> COUNTED = Map.of(
            "package", ObjectType.PACKAGE,
            "numanode", ObjectType.NUMA_NODE,
            "l3cache", ObjectType.L3_CACHE,
            "l2cache", ObjectType.L2_CACHE,
            "core", ObjectType.CORE,
            "pu", ObjectType.PU);

    @Test
    void seesThisMachineAsLstopoDoes() throws IOException, InterruptedException {
        Tool.require("lstopo-no-graphics");
        assertSameCounts(Discovery.live(), Map.of());
    }

    @Test
    void writesThisMachineForLstopo(@TempDir Path directory) throws IOException, InterruptedException {
        Tool.require("lstopo-no-graphics");
        Path file = Files.writeString(directory.resolve("live.xml"), TopologyXml.write(Discovery.live()));
        assertSameCounts(Discovery.live(), Map.of(), "--if", "xml", "-i", file.toString());
    }

    @Test
    void leavesTheBindingOfTheThreadAlone() throws IOException {
        String before = ProcStatus.callingThread().cpus();
        Discovery.live();
        assertThat(ProcStatus.callingThread().cpus()).isEqualTo(before);
    }

    @Test
    void buildsSyntheticMachines() {
        Topology machine = Discovery.synthetic("pack:2 l3:1 core:8 pu:2");
        assertThat(machine.count(ObjectType.PACKAGE)).isEqualTo(2);
        assertThat(machine.count(ObjectType.L3_CACHE)).isEqualTo(2);
        assertThat(machine.count(ObjectType.CORE)).isEqualTo(16);
        assertThat(machine.count(ObjectType.PU)).isEqualTo(32);
        assertThat((Object) machine.allowedCpuSet()).hasToString("0-31");
    }

    @Test
    void bothFormatsTellTheSameMachine(@TempDir Path directory) throws IOException, InterruptedException {
        Tool.require("lstopo-no-graphics");
        String description = "pack:2 [numa(memory=16GB)] [numa(memory=4GB)] l3:2 l2:4 core:1 pu:2";
        Path file = Files.writeString(
                directory.resolve("synthetic.xml"), TopologyXml.write(Discovery.synthetic(description)));
        assertSameCounts(Discovery.synthetic(description), Map.of(), "--if", "xml", "-i", file.toString());
        assertSameCounts(Discovery.synthetic(description), Map.of(), "--if", "synthetic", "-i", description);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "nonsense",
                "pack:2 xx:3",
                "pack:0 core:1",
                "pack:-1 pu:2",
                "pack:2\npu:2",
                "pack:2\0",
                "\uD83D\uDE00:2",
                "pack:99999 core:99999",
                "99999999999999999999",
                "pack:8193",
                "0x4000022",
                "pack:0100000000",
                "pack:2 pu:+3",
                "core:2 [numa(a(b)]",
                "pack:256 core:256 pu:2",
                "pu:2 pack:2"
            })
    void refusesWhatIsNoDescription(String text) {
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> Discovery.synthetic(text))
                .satisfies(Oracle::assertOneLine)
                .withMessageStartingWith("cannot read the synthetic machine \"" + text.split("[\n\0]", -1)[0])
                .withMessageEndingWith("; an example is \"pack:2 l3:1 core:8 pu:2\"");
    }

    private static void assertSameCounts(Topology topology, Map<String, String> environment, String... input)
            throws IOException, InterruptedException {
        for (Map.Entry<String, ObjectType> type : COUNTED.entrySet()) {
            assertThat((long) topology.count(type.getValue()))
                    .as(type.getKey())
                    .isEqualTo(Oracle.lstopoCount(environment, type.getKey(), input));
        }
    }
}
