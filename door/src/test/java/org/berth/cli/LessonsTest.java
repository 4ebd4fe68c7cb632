package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The lessons of docs/java/lessons and the programs in the pages, started as a reader would, with the JDK's source launcher. All of them
 * may use the last CPU of this process only, as in a container or a job of a batch system: no program takes the whole machine for its own.
 */
@Tag("one-jdk")
final class LessonsTest {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final String CPU =
            String.valueOf(CpuSet.parseList(Machine.cpuList()).last());

    /** The pages with programs; others would not be tried. */
    private static final List<String> PAGES = List.of(
            "docs/background/near-a-device.md",
            "docs/guide/sharing-a-host.md",
            "docs/java/binding.md",
            "docs/java/drawing.md");

    private static final String IMPORTS = """
            import java.nio.ByteBuffer;
            import java.nio.file.*;
            import java.util.*;
            import java.util.concurrent.*;
            import org.berth.binding.*;
            import org.berth.binding.discovery.*;
            import org.berth.binding.errors.*;
            import org.berth.binding.leases.*;
            import org.berth.drawing.machine.*;
            import org.berth.observation.*;
            import org.berth.observation.threads.*;
            import org.berth.placement.*;
            import org.berth.placement.policy.*;
            import org.berth.testing.*;
            import org.berth.topology.*;
            import org.berth.topology.type.*;
            import org.berth.topology.xml.*;
            """;

    @TempDir
    private Path folder;

    @Test
    void everyLessonIsHereAndInTheList() throws IOException {
        String list = Files.readString(TOP.resolve("docs/java/lessons/README.md"));
        try (Stream<Path> files = Files.list(TOP.resolve("docs/java/lessons"))) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java")))
                    .hasSize(12)
                    .allSatisfy(name -> assertThat(list).contains("](" + name + ")"));
        }
    }

    @Test
    void lookAtTheMachine() {
        Path lstopo = Tool.require("lstopo-no-graphics");
        Result pus = CommandLines.start(List.of(String.valueOf(lstopo), "--only", "pu"), Map.of());
        assertThat(lesson("01-look-at-the-machine"))
                .contains("PU " + pus.out().lines().count())
                .anyMatch(line -> line.startsWith("may be used: CPUs " + CPU + ", nodes "));
    }

    @Test
    void anotherMachine() throws IOException {
        Path xml = Files.writeString(folder.resolve("machine.xml"), Machines.xml("2amd64-2n"));
        assertThat(lesson("02-another-machine", xml.toString()))
                .containsExactly("PUs 2", "node 0: CPUs 0", "node 1: CPUs 1");
    }

    @Test
    void sets() {
        assertThat(lesson("03-sets")).containsExactly("0-4", "0,2", "1,3", "4-", "true", "true", "0x00000015");
    }

    @Test
    void bindAThread() {
        assertThat(lesson("04-bind-a-thread"))
                .hasSize(3)
                .endsWith("bound to " + CPU + ", the kernel says " + CPU, "and now " + CPU);
    }

    @Test
    void aPlan() {
        assertThat(lesson("05-a-plan"))
                .containsExactly(
                        "worker 0, thread 0: CPUs 0-1: core L#0 (PUs 0-1) of package L#0",
                        "worker 0, thread 1: CPUs 2-3: core L#1 (PUs 2-3) of package L#0",
                        "worker 1, thread 0: CPUs 8-9: core L#4 (PUs 8-9) of package L#1",
                        "worker 1, thread 1: CPUs 10-11: core L#5 (PUs 10-11) of package L#1");
    }

    @Test
    void watchThreads() {
        assertThat(lesson("06-watch-threads")).singleElement().asString().matches("thread busy moved \\d+ times");
    }

    @Test
    void memoryOfABuffer() throws IOException {
        String node = Machine.requireMemoryNodes().get(0).toString();
        assertThat(lesson("07-memory-of-a-buffer"))
                .singleElement()
                .asString()
                .endsWith(" pages, on nodes [" + node + "]");
    }

    @Test
    void aBufferOnANode() throws IOException {
        String node = Machine.requireMemoryNodes().get(0).toString();
        assertThat(lesson("08-a-buffer-on-a-node"))
                .containsExactly(
                        "new: pages on nodes ", "written: pages on nodes " + node, "policy: BIND nodes " + node);
    }

    @Test
    void nearADevice() throws IOException {
        Path xml = Files.writeString(folder.resolve("machine.xml"), Machines.xml("32em64t-2n8c+1mic"));
        assertThat(lesson("09-near-a-device", xml.toString(), "eth0"))
                .containsExactly(
                        "eth0 is near CPUs 0-7 and memory nodes 0", "from node 0 to node 1: 21", "1 kind of memory");
        Path tiers = Files.writeString(folder.resolve("tiers.xml"), Machines.xml("fakeheteromemtiers"));
        assertThat(lesson("09-near-a-device", tiers.toString(), "dax6.0")).endsWith("3 kinds of memory");
    }

    @Test
    void changeAMachine() throws IOException {
        assertThat(lesson("10-change-a-machine", folder.resolve("half.xml").toString()))
                .containsExactly(
                        "before: Package:2 [NUMANode(memory=1073741824)] Core:4 PU:2",
                        "after: Package:1 [NUMANode(memory=1073741824)] Group:2 Core:2 PU:2");
        Path lstopo = Tool.require("lstopo-no-graphics");
        String theirs = HwlocTools.run(lstopo, Files.readString(folder.resolve("half.xml")));
        assertThat(theirs).contains("fan 1").contains("Half");
    }

    @Test
    void compareMachines() {
        assertThat(lesson("11-compare-machines"))
                .containsExactly(
                        "NUMANode L#1 (P#1): SIZE 2147483648 -> 1073741824",
                        "the same after the change: no difference");
    }

    @Test
    void drawAMachine() throws IOException {
        Path svg = folder.resolve("machine.svg");
        assertThat(lesson("12-draw-a-machine", svg.toString()))
                .filteredOn(line -> line.matches("[│ ╭─]*(Machine|Package L#[01]|two packages).*"))
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(Files.readString(svg)).contains("<svg ", "Package L#1", "two packages");
    }

    /** The examples in the packages' descriptions are Java that compiles. */
    @ParameterizedTest
    @CsvSource({
        "place/topology, topology",
        "place/observation, observation",
        "place/placement, placement",
        "place/binding, binding",
        "place/drawing, drawing/machine"
    })
    void examplesOfPackagesCompile(String module, String sources) throws IOException {
        String about = Files.readString(TOP.resolve(module)
                .resolve("src/main/java/org/berth")
                .resolve(sources)
                .resolve("package-info.java"));
        String example = about.replaceFirst("(?s).*<pre>\\{@code\\n(.*?)\\n \\* }</pre>.*", "$1")
                .replace("\n * ", "\n");
        Path program = Files.writeString(
                folder.resolve("Example.java"), IMPORTS + """
                class Example {
                    static void work(ByteBuffer buffer) {}
                    static void example(Topology topology, long pid) throws Exception {
                %s
                    }
                    public static void main(String[] arguments) {}
                }
                """.formatted(example.replaceFirst("^ \\* ", "")));
        assertThat(run(program)).isEmpty();
    }

    @Test
    void everyPageWithProgramsIsTried() throws IOException {
        try (Stream<Path> files = Files.walk(TOP.resolve("docs"))) {
            List<Path> pages = Stream.concat(files, Stream.of(TOP.resolve("README.md")))
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
            List<String> withPrograms = new ArrayList<>();
            for (Path page : pages) {
                if (Files.readString(page).contains("```java\n")) {
                    withPrograms.add(TOP.relativize(page).toString());
                }
            }
            assertThat(withPrograms).containsExactlyInAnyOrderElementsOf(PAGES);
        }
    }

    /** In one JVM. What a page takes for granted, a plan or a pool, is declared before. */
    @Test
    void programsOfThePages() throws IOException {
        List<String> binding = programs("docs/java/binding.md");
        assertThat(binding).hasSize(5);
        boolean segments = Runtime.version().feature() >= 22;
        String ranges = segments
                ? binding.get(4)
                        .replace("MemorySegment ", "java.lang.foreign.MemorySegment ")
                        .replace("(MemorySegment.", "(java.lang.foreign.MemorySegment.")
                : binding.get(4).replace("ofSegment(segment)", "of(other)").replaceFirst("MemorySegment all.*\n", "\n");
        String segment = segments ? "var segment = java.lang.foreign.Arena.ofAuto().allocate(1 << 20);\n" : "";
        String methods = "static void work() {}\n"
                + "static void binding(ExecutorService pool) throws Exception {\n"
                + binding.get(0) + binding.get(1) + binding.get(2) + binding.get(3)
                + "ByteBuffer other = ByteBuffer.allocateDirect(1 << 20);\n"
                + "NodeSet nodes = machine.topology().allowedNodeSet();\n" + segment + ranges + "}\n"
                + "static void drawing() throws Exception {\n"
                + only("docs/java/drawing.md")
                        .replace("machine.svg", folder.resolve("machine.svg").toString()) + "}\n"
                + "static void sharing() throws Exception {\n"
                + "LocalMachine machine = LocalMachine.open();\n"
                + only("docs/guide/sharing-a-host.md") + "}\n"
                // For a device that this machine may lack: this is only compiled.
                + "static void near(Topology topology) {\n" + only("docs/background/near-a-device.md") + "}\n";
        Path program = program(
                methods,
                "ExecutorService pool = Executors.newSingleThreadExecutor();\n"
                        + "binding(pool); pool.shutdown(); drawing(); sharing(); System.exit(0);");
        assertThat(run(program)).anyMatch(line -> line.contains("this host"));
        assertThat(Files.readString(folder.resolve("machine.svg"))).contains("<svg ");
    }

    private Path program(String methods, String main) throws IOException {
        return Files.writeString(
                folder.resolve("Program.java"),
                IMPORTS + "class Program {\n" + methods
                        + "public static void main(String[] arguments) throws Exception {\n" + main + "\n}\n}\n");
    }

    private static String only(String page) throws IOException {
        assertThat(programs(page)).as(page).hasSize(1);
        return programs(page).get(0);
    }

    private static List<String> programs(String page) throws IOException {
        return Pattern.compile("(?s)```java\n(.*?)```")
                .matcher(Files.readString(TOP.resolve(page)))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private List<String> lesson(String name, String... arguments) {
        return run(TOP.resolve("docs/java/lessons").resolve(name + ".java"), arguments);
    }

    private List<String> run(Path program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Tool.require("taskset").toString(), "-c", CPU, CliProcess.JAVA));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", CliProcess.CLASS_PATH, program.toString()));
        command.addAll(List.of(arguments));
        Result result = CommandLines.start(
                command, Map.of("BERTH_LEASES", folder.resolve("ledger").toString()));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out().lines().toList();
    }
}
