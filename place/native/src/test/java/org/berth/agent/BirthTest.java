package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.berth.oracle.Await;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A JVM is bound from its birth, and is otherwise the one that the user started. */
@Timeout(120)
class BirthTest {
    static List<Jdk> jdks() {
        return Jdk.all();
    }

    private final int cpu;

    BirthTest() throws IOException {
        List<Integer> cpus = Machine.cpus();
        cpu = cpus.get(cpus.size() - 1);
    }

    private void assertBound(Jvm jvm, int to) throws IOException {
        assertThat(jvm.ready()).contains("processors=1 ");
        assertThat(ProcStatus.masks(jvm.pid())).hasSizeGreaterThan(5);
        assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(String.valueOf(to));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void everyThreadIsInsideTheSetWithEveryCollector(Jdk jdk) throws Exception {
        for (String collector : List.of("Serial", "Parallel", "G1", "Z")) {
            try (Jvm jvm = JvmCommand.of(jdk)
                    .withAgent("cpus=" + cpu + ",strict")
                    .with("-XX:+Use" + collector + "GC", "-Xcheck:jni")
                    .start()) {
                assertBound(jvm, cpu);
                assertThat(jvm.errorText()).isEmpty();
            }
        }
    }

    /** With one CPU the JVM chooses the serial collector; a mask that comes later does not change that. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theJvmAdaptsItselfAsUnderTaskset(Jdk jdk) throws Exception {
        String expected;
        try (Jvm jvm =
                JvmCommand.of(jdk).under("taskset", "-c", String.valueOf(cpu)).start()) {
            expected = jvm.ready();
        }
        JvmCommand bound = JvmCommand.of(jdk).withAgent("cpus=" + cpu);
        for (JvmCommand command : List.of(bound, bound.under(Built.exec(), "--agent", "yes", "--"))) {
            try (Jvm jvm = command.start()) {
                assertThat(jvm.ready()).isEqualTo(expected).contains("collectors=Copy,MarkSweepCompact");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void stdinExitCodeAndSignalsAreTheJvmsOwn(Jdk jdk) throws Exception {
        JvmCommand command = JvmCommand.of(jdk).withAgent("cpus=" + cpu + ",strict");
        try (Jvm jvm = command.start()) {
            assertBound(jvm, cpu);
            assertThat(jvm.ask("exit 42")).isEqualTo("shutdown hook");
            assertThat(jvm.exitCode()).isEqualTo(42);
        }
        try (Jvm jvm = command.start()) {
            jvm.ready();
            jvm.child().signal("TERM");
            assertThat(jvm.readLine()).isEqualTo("shutdown hook");
            assertThat(jvm.exitCode()).isEqualTo(128 + 15);
        }
    }

    /** A JVM that has just begun still opens and closes files of classes. */
    private static List<String> settledFiles(Jvm jvm) {
        List<List<String>> seen = new ArrayList<>();
        return Await.until("four times the same open files", () -> FileDescriptors.of(jvm.pid()), files -> {
            seen.add(files);
            int count = seen.size();
            return count > 3 && Set.copyOf(seen.subList(count - 4, count)).size() == 1;
        });
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void openFilesAndBlockedSignalsAreThoseOfAJvmWithoutAgent(Jdk jdk) throws Exception {
        Tool.requireSuccess("env", "--block-signal=USR2", "true");
        List<List<String>> found = new ArrayList<>();
        String[] blocked = {"env", "--block-signal=USR2"};
        JvmCommand bound = JvmCommand.of(jdk).withAgent("cpus=" + cpu + ",strict");
        for (JvmCommand command : List.of(
                JvmCommand.of(jdk).under(blocked),
                bound.under(blocked),
                bound.under(blocked[0], blocked[1], Built.exec(), "--agent", "yes", "--"))) {
            try (Jvm jvm = command.start()) {
                jvm.ready();
                List<String> facts = new ArrayList<>(settledFiles(jvm));
                for (String field : List.of("SigBlk", "SigIgn", "SigCgt", "Name")) {
                    facts.add(field + " " + ProcStatus.of(jvm.pid()).field(field));
                }
                found.add(facts);
            }
        }
        assertThat(found.get(0)).anyMatch(fact -> fact.matches("SigBlk 0*8.."));
        assertThat(found.subList(1, 3)).containsOnly(found.get(0));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void optionsMayComeFromTheEnvironmentAndFromArgumentFiles(Jdk jdk, @TempDir Path directory) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .environment("JAVA_TOOL_OPTIONS", Built.agent("cpus=" + cpu + ",strict"))
                .start()) {
            assertBound(jvm, cpu);
        }
        Path arguments = directory.resolve("arguments");
        Files.writeString(arguments, Built.agent("cpus=" + cpu + ",strict"));
        try (Jvm jvm = JvmCommand.of(jdk).with("@" + arguments).start()) {
            assertBound(jvm, cpu);
            assertThat(jvm.errorText()).isEmpty();
        }
    }

    /** The launcher has read the pipe; a second start would find nothing in it. */
    @ParameterizedTest
    @MethodSource("jdks")
    void argumentsThatCanBeReadOnceAreNotReadTwice(Jdk jdk) throws Exception {
        Machine.requireCpus(2);
        String script = "exec \"$0\" @<(echo '" + Built.agent("cpus=" + cpu + ",strict") + "') \"$@\"";
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, jdk.tool("java")));
        command.addAll(JvmCommand.of(jdk).program());
        try (Jvm jvm = JvmCommand.of(jdk).start(command)) {
            assertBound(jvm, cpu);
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .contains("bound in place", "'@/dev/fd/", "can be read only once");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aMaskThatIsRightAlreadyCostsNothing(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("taskset", "-c", String.valueOf(cpu))
                .withAgent("cpus=" + cpu + ",verbose")
                .start()) {
            assertBound(jvm, cpu);
            assertThat(jvm.messages()).containsExactly("berth: CPUs " + cpu + ", memory local: bound (already)");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void memoryPolicyIsThatOfTheWholeProcess(Jdk jdk) throws Exception {
        String nodes = KernelList.of(Machine.requireMemoryNodes());
        String inherited = Machine.cpuList();
        try (Jvm jvm = JvmCommand.of(jdk)
                .withAgent("nodes=" + nodes + ",memory=interleave,verbose")
                .start()) {
            jvm.ready();
            assertThat(jvm.messages())
                    .containsExactly("berth: CPUs " + inherited + ", memory interleave " + nodes + ": bound (reexec)");
            // "<address> <policy> <facts>"
            assertThat(Files.readAllLines(Path.of("/proc/" + jvm.pid() + "/numa_maps")))
                    .extracting(line -> line.split(" ", -1)[1])
                    .containsOnly("interleave:" + nodes);
        }
    }
}
