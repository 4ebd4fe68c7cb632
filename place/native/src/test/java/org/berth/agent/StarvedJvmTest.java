package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.berth.oracle.Await;
import org.berth.oracle.Cpuset;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A JVM that has used up its descriptors, as servers do: the agent's threads say once what they cannot see, and see it when
 * there are descriptors again.
 */
@Timeout(300)
final class StarvedJvmTest {
    private String first = "";
    private String second = "";

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    @BeforeEach
    void needTwoCpusAndTheTool() {
        int[] cpus = Machine.requireCpus(2);
        first = "" + cpus[0];
        second = "" + cpus[1];
        Tool.require("prlimit");
    }

    /** Takes all but some descriptors from a JVM, and returns them. */
    private record Starved(Jvm jvm, String limit) {
        static Starved of(Jvm jvm, int limit) {
            String pid = String.valueOf(jvm.pid());
            String former = Tool.output("prlimit", "--pid", pid, "--nofile", "--output", "SOFT", "--noheadings")
                    .strip();
            Tool.output("prlimit", "--pid", pid, "--nofile=" + limit + ":");
            return new Starved(jvm, former);
        }

        void feed() {
            Tool.output("prlimit", "--pid", String.valueOf(jvm.pid()), "--nofile=" + limit + ":");
        }
    }

    private static void awaitMasks(Jvm jvm, String mask) {
        Await.untilAsserted(
                "the mask " + mask,
                () -> assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(mask));
    }

    private static void awaitMessages(Jvm jvm, String... parts) {
        Await.untilAsserted("lines with " + List.of(parts), () -> {
            assertThat(jvm.messages()).hasSize(parts.length);
            for (int i = 0; i < parts.length; i++) {
                assertThat(jvm.messages().get(i)).contains(parts[i]);
            }
        });
    }

    private static String mask(Jvm jvm, int tid) throws IOException {
        return ProcStatus.of(jvm.pid(), tid).cpus();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aChangeOfTheCpusetIsFollowedLater(Jdk jdk) throws Exception {
        String all = Machine.cpuList();
        try (Cpuset cpuset = Cpuset.of(all);
                Jvm jvm = JvmCommand.of(jdk)
                        .under(cpuset.prefix().toArray(String[]::new))
                        .withAgent("cpus=" + first + ",rule=worker-*,strict")
                        .start()) {
            jvm.ready();
            jvm.startThread("worker-1");
            awaitMasks(jvm, first);
            Starved starved = Starved.of(jvm, 0);
            assertThat(mask(jvm, jvm.startThread("worker-2"))).isEqualTo(first);
            cpuset.set(second);
            awaitMessages(jvm, "to " + second + ": cannot list /proc/self/task: Too many open files");
            // Its slot is out of reach until then.
            jvm.startThread("worker-3");
            starved.feed();
            awaitMessages(jvm, "Too many open files", "cannot bind thread 'worker-3'", "bound to " + second + " again");
            awaitMasks(jvm, second);
            assertThat(mask(jvm, jvm.startThread("worker-4"))).isEqualTo(second);
            cpuset.set(all);
            awaitMasks(jvm, first);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theAgentYieldsLaterToAnotherProcess(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + first + "," + second + ",rule=worker-*->cpus " + first + ",strict")
                .start()) {
            jvm.ready();
            assertThat(mask(jvm, jvm.startThread("worker-1"))).isEqualTo(first);
            Starved starved = Starved.of(jvm, 0);
            Tool.output("taskset", "-a", "-p", "-c", second, String.valueOf(jvm.pid()));
            awaitMessages(jvm, "cannot list /proc/self/task: Too many open files");
            jvm.startThread("worker-2");
            starved.feed();
            awaitMessages(
                    jvm,
                    "Too many open files",
                    "bound from outside to CPUs " + second + ": the agent binds inside them");
            assertThat(mask(jvm, jvm.startThread("worker-3"))).isEqualTo(second);
            awaitMasks(jvm, second);
        }
    }

    /** One descriptor is enough for a list of the threads, and not for their names. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theJvmsOwnThreadsAreBoundLater(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + first + "," + second + ",rule=@gc->cpus " + first + ",strict")
                .start()) {
            jvm.ready();
            int thread = Integer.parseInt(named(jvm, "VM Thread").fields().get("Pid"));
            Await.until("its mask", () -> mask(jvm, thread).equals(first));
            Starved starved = Starved.of(jvm, FileDescriptors.lowestFree(jvm.pid()) + 1);
            Tool.output("taskset", "-p", "-c", second, String.valueOf(thread));
            awaitMessages(jvm, "Too many open files");
            assertThat(mask(jvm, thread)).isEqualTo(second);
            starved.feed();
            Await.until("its mask", () -> mask(jvm, thread).equals(first));
            assertThat(jvm.messages()).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theHeapIsFollowedAgain(Jdk jdk) throws Exception {
        int node = Machine.requireMemoryNodes().get(0);
        try (Jvm jvm = JvmCommand.of(jdk)
                .with("-XX:+UseSerialGC")
                .withAgent("heap-memory=interleave@" + node + ",strict")
                .start()) {
            jvm.ready();
            jvm.ask("load " + Built.library());
            awaitHeap(jvm, "placed");
            Starved starved = Starved.of(jvm, 0);
            awaitMessages(jvm, "Too many open files; it is left as it is until a next attempt");
            awaitHeap(jvm, "failed");
            starved.feed();
            awaitHeap(jvm, "placed");
            assertThat(jvm.messages()).hasSize(1);
        }
    }

    private static void awaitHeap(Jvm jvm, String state) {
        Await.untilAsserted(
                "a heap that is " + state,
                () -> assertThat(jvm.ask("agent status")).containsPattern("heap [^|]* " + state));
    }

    private static ProcStatus named(Jvm jvm, String name) {
        return Await.until(
                        "the thread " + name,
                        () -> ProcStatus.threads(jvm.pid()).stream()
                                .filter(thread -> thread.name().equals(name))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** How often the agent's thread has waited, which it does after each look. */
    private static long switches(Jvm jvm) {
        return Long.parseLong(named(jvm, "berth-watch").fields().get("voluntary_ctxt_switches"));
    }

    /** What 'berth doctor' reads. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theRulesAreShownLater(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + first + "," + second + ",strict")
                .start()) {
            jvm.ready();
            jvm.ask("load " + Built.library());
            jvm.ask("agent status");
            // The classes that this takes cannot be read later.
            jvm.startThread("warm");
            String plan = Plans.of(List.of(first), "rule role=task glob=worker-*\n");
            Starved starved = Starved.of(jvm, 0);
            assertThat(jvm.ask("agent rules " + plan.replace('\n', '|'))).isEqualTo("ok");
            assertThat(mask(jvm, jvm.startThread("worker-1"))).isEqualTo(first);
            long before = switches(jvm);
            Await.until("looks of the agent", () -> switches(jvm) > before + 2);
            starved.feed();
            Await.untilAsserted(
                    "the file of rules",
                    () -> assertThat(FileDescriptors.of(jvm.pid())).contains("/memfd:berth-rules (deleted)"));
            assertThat(jvm.messages()).isEmpty();
        }
    }
}
