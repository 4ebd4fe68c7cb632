package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An agent that is loaded into a JVM that runs, with an agent or without, and masks that another process changes. */
@Tag("long")
@Timeout(300)
class AgentAttachTest {
    private final int[] cpus = Machine.requireCpus(2);
    private final String first = "" + cpus[0];
    private final String second = "" + cpus[1];

    static List<Jdk> jdks() {
        return Jdk.all();
    }

    private static void attach(Jdk jdk, Jvm jvm, String options) {
        // jcmd takes what stands before a '=' for an option of its own.
        Tool.output(
                jdk.tool("jcmd"),
                String.valueOf(jvm.pid()),
                "JVMTI.agent_load",
                Built.library(),
                "\"" + options + "\"");
    }

    private static void assertMasks(Jvm jvm, String mask) {
        assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(mask);
    }

    private static long locked(Path ledger) throws Exception {
        try (Stream<Path> files = Files.list(ledger)) {
            return files.filter(file -> file.getFileName().toString().startsWith("lease-"))
                    .count();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aFailedAttachLeavesEverythingAsItWas(Jdk jdk, @TempDir Path ledger) throws Exception {
        String lease = "domain=core:1,select=exclusive,leases=" + ledger;
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("taskset", "-c", first + "," + second)
                .withAgent(lease + ",rule=worker-*,strict")
                .start()) {
            jvm.ready();
            String mask = ProcStatus.of(jvm.pid()).cpus();
            int worker = jvm.startThread("worker-1");
            String slot = ProcStatus.of(jvm.pid(), worker).cpus();
            for (String wrong : List.of("cpus=9999", "cpus=" + first + ",rule=x -> cpus 9999", "plan=/no/such/plan")) {
                int said = jvm.messages().size();
                attach(jdk, jvm, wrong);
                assertThat(jvm.messages().subList(said, jvm.messages().size()))
                        .last()
                        .asString()
                        .endsWith("the JVM runs on without it");
                assertThat(locked(ledger)).isEqualTo(1);
                assertThat(ProcStatus.of(jvm.pid()).cpus()).isEqualTo(mask);
                assertThat(ProcStatus.of(jvm.pid(), worker).cpus()).isEqualTo(slot);
                assertThat(jvm.startThread("worker-of-" + wrong.length())).isPositive();
            }
            // The same domain again is its own, and no other process's.
            attach(jdk, jvm, lease + ",strict");
            assertThat(locked(ledger)).isEqualTo(1);
            assertThat(ProcStatus.of(jvm.pid()).cpus()).isNotEmpty();
        }
    }

    /** A slot that is smaller than the process: a failure does not give its thread all CPUs. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aFailedAttachLeavesThreadsInTheirSlots(Jdk jdk) throws Exception {
        String both = first + "," + second;
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("taskset", "-c", both)
                .withAgent("cpus=" + both + ",rule=worker-*,strict")
                .start()) {
            jvm.ready();
            int one = jvm.startThread("worker-1");
            int other = jvm.startThread("worker-2");
            for (String wrong : List.of("cpus=9999", "plan=/no/such/plan")) {
                attach(jdk, jvm, wrong);
                assertThat(ProcStatus.of(jvm.pid(), one).cpus()).isEqualTo(first);
                assertThat(ProcStatus.of(jvm.pid(), other).cpus()).isEqualTo(second);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aSecondAttachMayGoAnywhereInsideWhatTheJvmInherited(Jdk jdk) throws Exception {
        try (Jvm jvm =
                JvmCommand.of(jdk).under("taskset", "-c", first + "," + second).start()) {
            jvm.ready();
            attach(jdk, jvm, "cpus=" + first);
            assertMasks(jvm, first);
            attach(jdk, jvm, "cpus=" + second);
            assertMasks(jvm, second);
            attach(jdk, jvm, "cpus=" + first + "," + second);
            assertThat(ProcStatus.of(jvm.pid()).cpus()).contains(first).contains(second);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void memoryOfAJvmThatRunsIsRefusedInOneLine(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk).start()) {
            jvm.ready();
            String node = ProcStatus.of(jvm.pid()).nodes().split("[,-]", -1)[0];
            attach(jdk, jvm, "cpus=" + first + ",nodes=" + node + ",memory=bind,strict");
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .contains("memory=bind is not possible in a JVM that runs");
            assertThat(ProcStatus.of(jvm.pid()).cpus()).isEqualTo(Machine.cpuList());
            attach(jdk, jvm, "cpus=" + first + ",nodes=" + node + ",memory=bind");
            assertThat(jvm.messages()).hasSize(2).last().asString().endsWith("only the CPUs are bound");
            assertMasks(jvm, first);
        }
    }

    /** The mask that the first thread alone gets is no bind of the process. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theFirstThreadAloneIsNotTheProcess(Jdk jdk) throws Exception {
        String both = first + "," + second;
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("taskset", "-c", both)
                .withAgent("cpus=" + both + ",rule=worker-?,strict")
                .start()) {
            jvm.ready();
            Tool.output("taskset", "-p", "-c", second, "" + jvm.pid());
            // Longer than two looks of the agent.
            Thread.sleep(3000);
            jvm.startThread("worker-1");
            jvm.startThread("worker-2");
            assertThat(ProcStatus.masks(jvm.pid(), name -> name.startsWith("worker-"))
                            .values())
                    .containsExactlyInAnyOrder(first, second);
            assertThat(jvm.messages()).isEmpty();
            assertThat(ProcStatus.of(jvm.pid()).cpus()).isEqualTo(second);
        }
    }

    /** What taskset does to all threads stays, for those of rules and groups, too, and for threads that start later. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theAgentYieldsToABindFromOutside(Jdk jdk) throws Exception {
        String both = first + "," + second;
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("taskset", "-c", both)
                .withAgent("cpus=" + both + ",gc=cpus " + first + ",jit=process,rule=worker-?,strict")
                .start()) {
            jvm.ready();
            jvm.startThread("worker-1");
            jvm.startThread("worker-2");
            String whole = ProcStatus.of(jvm.pid()).cpus();
            Await.until(
                    "a collector's thread on its CPU",
                    () -> ProcStatus.masks(jvm.pid(), name -> name.contains("GC"))
                            .containsValue(first));
            Tool.output("taskset", "-a", "-p", "-c", second, "" + jvm.pid());
            Await.until("the agent's line", () -> jvm.messages().size() == 1);
            assertThat(jvm.messages().get(0)).contains("bound from outside to CPUs " + second);
            for (int i = 3; i < 6; i++) {
                assertMasks(jvm, second);
                jvm.startThread("worker-" + i);
                // Longer than the agent takes from one look to the next.
                Thread.sleep(700);
            }
            assertMasks(jvm, second);
            Tool.output("taskset", "-a", "-p", "-c", both, "" + jvm.pid());
            Await.until("the agent's second line", () -> jvm.messages().size() == 2);
            assertThat(jvm.messages().get(1)).contains("the agent's binding holds again");
            assertThat(ProcStatus.of(jvm.pid()).cpus()).isEqualTo(whole);
            Await.untilAsserted(
                    "the slots of workers",
                    () -> assertThat(ProcStatus.masks(jvm.pid(), name -> name.startsWith("worker-"))
                                    .values())
                            .hasSize(5)
                            .contains(first, second)
                            .doesNotContain(whole));
        }
    }
}
