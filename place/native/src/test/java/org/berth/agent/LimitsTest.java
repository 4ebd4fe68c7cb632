package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot be done is told in one line, and stops the JVM only when that was asked for. */
@Timeout(120)
class LimitsTest {
    static List<Jdk> jdks() {
        return Jdk.all();
    }

    private final String cpu;

    LimitsTest() throws IOException {
        cpu = String.valueOf(Machine.cpus().get(0));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theInheritedSetIsNeverLeft(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("taskset", "-c", cpu)
                .withAgent("cpus=0-255,strict")
                .start()) {
            assertThat(jvm.ready()).contains("processors=1 ");
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(cpu);
            assertThat(jvm.messages())
                    .containsExactly("berth: of the CPUs 0-255 only those inside " + cpu
                            + " are used: this process may not use the others");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aSetThatIsOutsideIsToldAndLeavesTheJvmUnbound(Jdk jdk) throws Exception {
        assertLineAndRun(jdk, "cpus=60000", "cannot bind to CPUs 60000: none of them is among those");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void brokenOptionsAndPlansAreTold(Jdk jdk, @TempDir Path directory) throws Exception {
        Path plan = directory.resolve("plan");
        Files.writeString(plan, "berth-plan 1\nlevel core\nmemory far\n");
        assertLineAndRun(jdk, "plan=" + plan, "the plan " + plan + ": line 3: memory must be one of local, bind,");
        assertLineAndRun(jdk, "plan=/nowhere", "cannot read the plan /nowhere: No such file or directory");
        assertLineAndRun(jdk, "cpu=0", "option 'cpu' is unknown");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aWorkerThatThePlanDoesNotHaveIsTold(Jdk jdk, @TempDir Path directory) throws Exception {
        Path plan = directory.resolve("plan");
        Files.writeString(plan, Plans.of(List.of(cpu), ""));
        assertLineAndRun(jdk, "plan=" + plan + ",worker=3", "the plan has no worker 3; its workers are 0 to 0");
    }

    private static void assertLineAndRun(Jdk jdk, String options, String message) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk).withAgent(options).start()) {
            jvm.ready();
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .startsWith("berth: " + message)
                    .endsWith("the JVM runs on without it");
            assertThat(jvm.ask("exit 3")).isEqualTo("shutdown hook");
            assertThat(jvm.exitCode()).isEqualTo(3);
        }
        try (Jvm jvm = JvmCommand.of(jdk).withAgent(options + ",strict").start()) {
            assertThat(jvm.exitCode()).isEqualTo(1);
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .startsWith("berth: " + message)
                    .endsWith("the JVM does not start (option strict)");
        }
    }

    /** Another program that holds a JVM cannot be started again from its command line. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aProgramThatIsNotALauncherIsBoundInPlace(Jdk jdk) throws Exception {
        Machine.requireCpus(2);
        List<String> command = List.of(jdk.tool("jcmd"), "-J" + Built.agent("cpus=" + cpu + ",verbose"), "-h");
        try (Jvm jvm = JvmCommand.of(jdk).start(command)) {
            assertThat(jvm.exitCode()).isZero();
            assertThat(jvm.messages())
                    .hasSize(2)
                    .anyMatch(line -> line.contains("bin/jcmd, not a java launcher"))
                    .anyMatch(line -> line.endsWith("bound (in-place)"));
        }
    }

    /** A JVM that was bound in place would keep the collector of the whole machine. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theGuardOfAnotherProcessIsIgnored(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .environment("BERTH_AGENT_PID", "1:1")
                .withAgent("cpus=" + cpu + ",strict")
                .start()) {
            assertThat(jvm.ready()).contains("collectors=Copy,MarkSweepCompact");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void twoAgentsInOneJvmDoNotLoop(Jdk jdk) throws Exception {
        int other = Machine.requireCpus(2)[1];
        String nodes = ",nodes=" + Machine.requireMemoryNodes().get(0);
        try (Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + cpu + "," + other + nodes + ",memory=bind")
                .withAgent("cpus=" + cpu + nodes + ",memory=interleave")
                .start()) {
            assertThat(jvm.ready()).contains("processors=1 ");
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(cpu);
        }
    }

    /** Also where its name is another one. */
    @ParameterizedTest
    @MethodSource("jdks")
    void twoCopiesOfTheLibraryDoNotLoop(Jdk jdk, @TempDir(factory = ExecutableFolder.class) Path directory)
            throws Exception {
        Path copy = Files.copy(Path.of(Built.library()), directory.resolve("libcopy.so"));
        String nodes = "nodes=" + Machine.requireMemoryNodes().get(0);
        // Without a limit the heap is a quarter of all memory, which one of five nodes may not have.
        try (Jvm jvm = JvmCommand.of(jdk)
                .with("-Xmx64m")
                .withAgent(nodes + ",memory=bind")
                .with("-agentpath:" + copy + "=" + nodes + ",memory=interleave")
                .start()) {
            jvm.ready();
            assertThat(jvm.messages()).singleElement().asString().contains("another copy of the agent");
        }
    }

    /** JAVA_TOOL_OPTIONS of a package, and the command line of a checkout. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theSecondCopyOfTheLibraryYields(Jdk jdk, @TempDir(factory = ExecutableFolder.class) Path directory)
            throws Exception {
        int other = Machine.requireCpus(2)[1];
        Path copy = Files.copy(Path.of(Built.library()), directory.resolve("libberth-1234.so"));
        try (Jvm jvm = JvmCommand.of(jdk)
                .environment("JAVA_TOOL_OPTIONS", "-agentpath:" + copy + "=cpus=" + other)
                .withAgent("cpus=" + cpu + ",strict")
                .start()) {
            jvm.ready();
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly("" + other);
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .startsWith("berth: another copy of the agent is in this JVM already (" + copy + ")");
            String answer = Tool.output(
                    jdk.tool("jcmd"),
                    String.valueOf(jvm.pid()),
                    "JVMTI.agent_load",
                    Built.library(),
                    "\"cpus=" + cpu + "\"");
            assertThat(answer).contains("return code: 0");
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly("" + other);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aChildJvmIsBoundInsideItsParentsSet(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .environment("JAVA_TOOL_OPTIONS", Built.agent("cpus=" + cpu + ",strict"))
                .start()) {
            jvm.ready();
            assertThat(jvm.ask("jvm " + System.getProperty("java.class.path")))
                    .startsWith("[" + cpu + "] ready processors=1 ");
            assertThat(jvm.messages()).isEmpty();
        }
    }
}
