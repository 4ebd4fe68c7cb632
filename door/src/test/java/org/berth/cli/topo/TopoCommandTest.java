package org.berth.cli.topo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.machines.MachineNumbers;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class TopoCommandTest {
    private static final List<String> COUNTED =
            List.of("package", "die", "numanode", "l3cache", "l2cache", "l1cache", "core", "pu");

    @TempDir
    private Path folder;

    static List<String> machines() {
        return Machines.all();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void lstopoReadsTheXml(String machine) throws IOException {
        Path lstopo = Tool.require("lstopo-no-graphics");
        String original = Machines.xml(machine);
        Path file = Files.writeString(folder.resolve("machine.xml"), original);
        Result written = CommandLines.run("topo", "--input", file.toString(), "--xml", "-");
        assertThat(written.exitCode()).isZero();
        assertThat(counts(lstopo, written.out())).isEqualTo(counts(lstopo, original));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pack:2 l3:1 core:8 pu:2", "pack:2 numa:2 core:6 pu:8", "2 4"})
    void lstopoAgreesOnSyntheticMachines(String description) {
        Path lstopo = Tool.require("lstopo-no-graphics");
        Result written = CommandLines.run("topo", "--input", description, "--xml", "-");
        Result own = CommandLines.start(List.of(lstopo.toString(), "-i", description, "--of", "xml"), Map.of());
        assertThat(counts(lstopo, written.out())).isEqualTo(counts(lstopo, own.out()));
    }

    private static List<Long> counts(Path lstopo, String xml) {
        List<Long> counts = new ArrayList<>();
        for (String type : COUNTED) {
            counts.add(HwlocTools.run(lstopo, xml, "--disallowed", "--only", type)
                    .lines()
                    .count());
        }
        return counts;
    }

    @Test
    void writesEverythingAtOnce() throws IOException {
        Path svg = folder.resolve("m.svg");
        Path xml = folder.resolve("m.xml");
        Result result = CommandLines.run(
                "topo", "--input", "pack:2 core:2 pu:1", "--svg", svg.toString(), "--xml", xml.toString(), "--json");
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(JsonValues.object(result.out())).containsEntry("source", "pack:2 core:2 pu:1");
        assertThat(svg).content().startsWith("<?xml").endsWith("</svg>\n");
        assertThat(MachineNumbers.pus(Files.readString(xml))).containsExactly(0, 1, 2, 3);
    }

    @Test
    void showsThisMachineAndWhatTheMaskLeaves() {
        Tool.require("taskset");
        CpuSet allowed = CpuSet.parseList(taskset());
        int first = allowed.first();
        Result result = CommandLines.fork(List.of("taskset", "-c", Integer.toString(first)), Map.of(), "topo");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("This process may use 1 of ");
        if (allowed.size() > 1) {
            assertThat(result.out())
                    .contains("● marks a PU that this process may use.")
                    .contains("Limited by the inherited affinity mask");
        }
    }

    /** Free memory changes all the time, so only what cannot be is refused. */
    @Test
    void showsTheFreeMemoryOfEachNodeOfThisMachineOnly() {
        List<Integer> nodes = Machine.requireMemoryNodes();
        Result text = CommandLines.run("topo");
        Map<?, ?> json = JsonValues.object(CommandLines.run("topo", "--json").out());
        Map<?, ?> free = (Map<?, ?>) JsonValues.field(json, "freeBytesByNode");
        for (int node : nodes) {
            String meminfo = Tool.output("cat", "/sys/devices/system/node/node" + node + "/meminfo");
            long totalBytes = 1024 * Long.parseLong(meminfo.replaceAll("(?s).*MemTotal:\\s+(\\d+) kB.*", "$1"));
            long freeBytes = 1024 * Long.parseLong(meminfo.replaceAll("(?s).*MemFree:\\s+(\\d+) kB.*", "$1"));
            assertThat(((Number) JsonValues.field(free, "" + node)).doubleValue())
                    .isCloseTo((double) freeBytes, within(0.2 * totalBytes));
            assertThat(text.out()).containsPattern("(?m)^NUMA node P#" + node + ": .* of .* free\\.$");
        }
        assertThat(CommandLines.run("topo", "--input", "pack:2 core:2 pu:1").out())
                .doesNotContain("free");
        assertThat(JsonValues.object(CommandLines.run("topo", "--json", "--input", "pack:2 core:2 pu:1")
                        .out()))
                .doesNotContainKey("freeBytesByNode");
    }

    /** The mask of this process by somebody else's words. */
    private static String taskset() {
        String pid = Long.toString(ProcessHandle.current().pid());
        String line =
                CommandLines.start(List.of("taskset", "-cp", pid), Map.of()).out();
        return line.substring(line.indexOf(": ") + 2).strip();
    }

    @Test
    void speaksAsciiWhereTheLocaleIsNotUtf8() {
        ChildJvm.requireAsciiClassPath();
        Result plain = CommandLines.fork(List.of(), Map.of("LANG", "C"), "topo");
        assertThat(plain.exitCode()).as(plain.err()).isZero();
        assertThat(plain.out()).startsWith("+ Machine").matches("[\\x20-\\x7e\\n]*");
        Result utf8 = CommandLines.fork(List.of(), Map.of("LC_ALL", "de_DE.UTF-8"), "topo");
        assertThat(utf8.out()).startsWith("╭ Machine").doesNotContain("\u001b");
    }

    @Test
    void readsStandardInput() throws IOException {
        Path file = Files.writeString(folder.resolve("m.xml"), Machines.xml("2arm-2c"), StandardCharsets.UTF_8);
        Result result = CommandLines.start(
                List.of(
                        "/bin/sh",
                        "-c",
                        "exec \"$0\" -cp \"$1\" org.berth.cli.Main topo --input - <\"$2\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path"),
                        file.toString()),
                Map.of());
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("274 MiB");
    }

    @Test
    void aFullDiskIsNoSuccessAndAClosedPipeIsQuiet() {
        assumeThat(Path.of("/dev/full")).exists();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        Result full = CommandLines.start(
                List.of(
                        "/bin/sh",
                        "-c",
                        "exec \"$0\" --enable-native-access=ALL-UNNAMED -cp \"$1\" org.berth.cli.Main topo >/dev/full",
                        java,
                        classPath),
                Map.of());
        assertThat(full.exitCode()).isEqualTo(1);
        assertThat(full.err()).isEqualTo("berth: cannot write to standard output: No space left on device\n");
        Result closed = CommandLines.start(
                List.of(
                        "/bin/sh",
                        "-c",
                        "{ sleep 0.1; \"$0\" -cp \"$1\" org.berth.cli.Main topo --help; echo \"$?\" >&2; } | true",
                        java,
                        classPath),
                Map.of());
        assertThat(closed.err()).isEqualTo("141\n");
    }
}
