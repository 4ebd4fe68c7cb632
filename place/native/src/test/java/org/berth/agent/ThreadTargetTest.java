package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.Await;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Places other than the least used slot: exclusive ones, sets, groups of the JVM's own threads. */
@Timeout(120)
final class ThreadTargetTest {
    private static String first = "";
    private static String second = "";
    private static String both = "";

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    @BeforeAll
    static void needTwoCpus() throws IOException {
        int[] cpus = Machine.requireCpus(2);
        first = "" + cpus[0];
        second = "" + cpus[1];
        both = KernelList.of(cpus[0], cpus[1]);
    }

    private static Jvm start(Jdk jdk, String options) throws IOException {
        Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + first + "," + second + "," + options)
                .start();
        jvm.ready();
        return jvm;
    }

    private static String mask(Jvm jvm, String thread) throws IOException {
        return ProcStatus.of(jvm.pid(), jvm.startThread(thread)).cpus();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void anExclusiveSlotIsNeverShared(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "rule=own-*->slot exclusive,rule=any-*,strict")) {
            assertThat(mask(jvm, "own-1")).isEqualTo(first);
            assertThat(mask(jvm, "any-1")).isEqualTo(second);
            assertThat(mask(jvm, "any-2")).isEqualTo(second);
            // No slot without another user: anywhere in the process, and told.
            assertThat(mask(jvm, "own-2")).isEqualTo(both);
            assertThat(jvm.messages()).singleElement().asString().contains("no slot for thread 'own-2'");
            jvm.ask("end own-1");
            assertThat(mask(jvm, "any-3")).isEqualTo(first);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aRuleNamesSlotsOrCpusOrTheProcess(Jdk jdk, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("my.rules"),
                "# targets\nlast-* -> slots 1\nset-* -> cpus " + first + ",4000\nfree-* -> process\n");
        try (Jvm jvm = start(jdk, "rules=" + file + ",rule=one-*")) {
            assertThat(mask(jvm, "last-1")).isEqualTo(second);
            assertThat(mask(jvm, "last-2")).isEqualTo(second);
            assertThat(mask(jvm, "set-1")).isEqualTo(first);
            assertThat(mask(jvm, "free-1")).isEqualTo(both);
            assertThat(ProcStatus.of(jvm.pid(), Integer.parseInt(jvm.ask("child one-1 free-2")))
                            .cpus())
                    .isEqualTo(both);
            assertThat(jvm.messages()).singleElement().asString().contains("some CPUs that thread rules name");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void presetsNameTheThreadsOfEngines(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "preset=spark,preset=trino,strict")) {
            assertThat(mask(jvm, "Executor task launch worker for task 1.0 in stage 0.0 (TID 3)"))
                    .isEqualTo(first);
            assertThat(mask(jvm, "SplitRunner-4")).isEqualTo(second);
            assertThat(mask(jvm, "shuffle-client-1-1")).isEqualTo(both);
            assertThat(jvm.messages()).isEmpty();
        }
    }

    /** GC and compiler threads appear in the first moments. */
    private static void await(Jvm jvm, String names, String mask) {
        Await.untilAsserted(
                "the mask of " + names,
                () -> assertThat(ProcStatus.masks(jvm.pid(), name -> name.matches(names))
                                .values())
                        .containsOnly(mask));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void collectorAndCompilerThreadsAreGroupsOfTheirOwn(Jdk jdk) throws Exception {
        for (String collector : List.of("UseG1GC", "UseParallelGC", "UseZGC")) {
            JvmCommand command = JvmCommand.of(jdk)
                    .with("-XX:+" + collector)
                    .withAgent("cpus=" + first + "," + second + ",gc=slots 1,jit=cpus " + first + ",strict");
            try (Jvm jvm = command.start()) {
                jvm.ready();
                await(jvm, "GC Thread#.*|G1 .*|ZWorker.*|ZDirector|VM Thread", second);
                await(jvm, "C[12] CompilerThre", first);
                assertThat(mask(jvm, "other")).isEqualTo(both);
                assertThat(jvm.messages()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void carriersOfVirtualThreadsHaveAPlace(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "rule=@carriers->cpus " + second + ",strict")) {
            String mask = jvm.ask("virtual any");
            assumeFalse(mask.startsWith("java.lang.NoSuchMethodException"), "no virtual threads before 21");
            assertThat(mask).isEqualTo(second);
        }
    }

    /** Pools have numbers in their threads' names, and the carriers' pool the one that is next when it is made. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aPoolOfTheProgramDoesNotCarryVirtualThreads(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "rule=@carriers->cpus " + second + ",strict")) {
            int worker = Integer.parseInt(jvm.ask("pool 1"));
            assertThat(ProcStatus.of(jvm.pid(), worker).cpus()).isEqualTo(both);
            String mask = jvm.ask("virtual any");
            assumeFalse(mask.startsWith("java.lang.NoSuchMethodException"), "no virtual threads before 21");
            assertThat(mask).isEqualTo(second);
        }
    }
}
