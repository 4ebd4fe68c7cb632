package org.berth.binding.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.binding.Oracle;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
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
        assertSameCounts(Live.machine(DiscoveryOptions.defaults()), Map.of());
    }

    @Test
    void writesThisMachineForLstopo(@TempDir Path directory) throws IOException, InterruptedException {
        Tool.require("lstopo-no-graphics");
        Path file = Files.writeString(
                directory.resolve("live.xml"), TopologyXml.write(Live.machine(DiscoveryOptions.defaults())));
        assertSameCounts(Live.machine(DiscoveryOptions.defaults()), Map.of(), "--if", "xml", "-i", file.toString());
    }

    @Test
    void leavesTheBindingOfTheThreadAlone() throws IOException {
        String before = ProcStatus.callingThread().cpus();
        Live.machine(DiscoveryOptions.defaults());
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
                "pu:2 pack:2",
                "pu:2(indexes=300000000,1)",
                "pu:2(indexes=4294967295,1)",
                "pu:2(indexes=8192,1)",
                "pu:2(indexes=1)",
                "pu:2(indexes=)x",
                "pu:2(indexes=-1,1)",
                "pack:2 [numa(indexes=0,99999)] pu:2",
                "[numa(memory=-5)] pu:2",
                "[numa(memory=99999999999999999999)] pu:2",
                "[numa(memory=9223372036854775808)] pu:2",
                "[numa(memory=0x8000000000000000)] pu:2",
                "[numa(memory=16777216TB)] pu:2",
                "[numa(memory=8388608TiB)] pu:2",
                "[numa(memory=09)] pu:2",
                "[numa(memorysidecachesize=-1)] pu:2",
                "l3:1(size=18446744073709551615) pu:2",
                "pu:2(colour=3)",
                "pu:2048",
                "core:1025 pu:1"
            })
    void refusesWhatIsNoDescription(String text) {
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> Discovery.synthetic(text))
                .satisfies(Oracle::assertOneLine)
                .withMessageStartingWith("cannot read the synthetic machine \"" + text.split("[\n\0]", -1)[0])
                .withMessageEndingWith("; an example is \"pack:2 l3:1 core:8 pu:2\"");
    }

    /** Each of them ends the process by a failed assertion of hwloc 2.9, or makes hwloc read memory that is not its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pu:8(indexes=1*65536:1*65536:1*65536:1*65536)",
                "pack:2(indexes=core:pack) core:2 pu:2",
                "pack:2 [numa(indexes=core)] core:2 pu:2",
                "pack:2 pu:4(indexes=pack:pu)",
                "pack:2 pu:4(indexes=core)",
                "group:2 group:2 pu:4(indexes=group1)",
                "pack:2 pu:4(indexes=pack:pack)"
            })
    void refusesLoopsOfIndexesThatFitNoLevel(String text) {
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> Discovery.synthetic(text))
                .satisfies(Oracle::assertOneLine)
                .withMessageContaining("indexes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pu:2(indexes=8191,1)",
                "pu:4(indexes=2*2:1*2)",
                "pack:2 core:2 pu:2(indexes=pack:core)",
                "pack:2 core:2 pu:2(indexes=core:pack)",
                "core:2 pu:2(indexes=numa:core)",
                "pack:2 [numa(memory=3GiB indexes=1,0)] core:2 pu:2",
                "pack:2 [numa(memory=1GB indexes=pack)] core:2 pu:2",
                "pack:2 [numa(memory=0x40000000)] l3:1(size=010MB) pu:2",
                "(memory=0) pu:2"
            })
    void indexesAndSizesAreThoseOfLstopo(String text) throws IOException, InterruptedException {
        Path lstopo = Tool.require("lstopo-no-graphics");
        Topology theirs = TopologyXml.parse(
                Child.run(new ProcessBuilder(lstopo.toString(), "--if", "synthetic", "-i", text, "--of", "xml", "-"))
                        .out());
        Topology ours = Discovery.synthetic(text);
        assertThat(osIndexes(ours, ObjectType.PU)).isEqualTo(osIndexes(theirs, ObjectType.PU));
        assertThat(osIndexes(ours, ObjectType.NUMA_NODE)).isEqualTo(osIndexes(theirs, ObjectType.NUMA_NODE));
        assertThat(ours.root().totalMemoryBytes()).isEqualTo(theirs.root().totalMemoryBytes());
        assertThat(ours.objects(ObjectType.L3_CACHE).stream().map(TopologyObject::attributes))
                .isEqualTo(theirs.objects(ObjectType.L3_CACHE).stream()
                        .map(TopologyObject::attributes)
                        .toList());
    }

    private static List<Integer> osIndexes(Topology machine, ObjectType type) {
        return machine.objects(type).stream().map(TopologyObject::osIndex).toList();
    }

    /** One PU, as hwloc has it, or one line; never the fault of a file that the user has not seen. */
    @ParameterizedTest
    @ValueSource(
            strings = {"pu:4(indexes=0,0,0,0)", "pack:2 [numa(indexes=1,1)] pu:2", "numa:2(indexes=3,3) core:2 pu:1"})
    void indexesThatAreThereTwiceGiveAMachineOrOneLine(String text) {
        try {
            assertThat(Discovery.synthetic(text).cpuSet().isEmpty()).isFalse();
        } catch (BindingException e) {
            Oracle.assertOneLine(e);
            assertThat(e.getMessage()).doesNotContain("line ");
        }
    }

    @Test
    void longDescriptionsAreRefusedInAShortLine() {
        for (String text : new String[] {
            "group:1 ".repeat(3_000),
            "pu:2(indexes=" + "0,".repeat(100_000) + "0)",
            "pu:2(colour=" + "x".repeat(10_000) + ")",
            "x".repeat(10_000),
            "x".repeat(200_000)
        }) {
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> Discovery.synthetic(text))
                    .satisfies(Oracle::assertOneLine)
                    .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(400));
        }
    }

    @Test
    void aListOfIndexesOfTheLargestMachineIsRead() {
        String indexes =
                IntStream.range(0, 8_192).mapToObj(i -> "" + (8_191 - i)).collect(Collectors.joining(","));
        Topology machine = Discovery.synthetic("pack:32 core:32 pu:8(indexes=" + indexes + ")");
        assertThat(machine.count(ObjectType.PU)).isEqualTo(8_192);
        assertThat(machine.object(ObjectType.PACKAGE, 0).orElseThrow().cpuSet().contains(8_191))
                .isEqualTo(machine.object(ObjectType.PU, 0).orElseThrow().osIndex() == 8_191);
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
