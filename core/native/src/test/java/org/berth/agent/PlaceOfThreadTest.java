package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Places other than the least used slot: exclusive ones, sets, groups of the JVM's own threads. */
@Timeout(120)
final class PlaceOfThreadTest {
    private static String first = "";
    private static String second = "";
    private static String both = "";

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    @BeforeAll
    static void needTwoCpus() throws IOException {
        List<Integer> cpus = Kernel.cpus();
        assumeTrue(cpus.size() > 1, "needs two CPUs");
        first = "" + cpus.get(0);
        second = "" + cpus.get(1);
        both = Kernel.cpus().size() == 2 && cpus.get(1) == cpus.get(0) + 1
                ? first + "-" + second
                : first + "," + second;
    }

    private static Jvm start(Jdk jdk, String options) throws IOException {
        Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + first + "," + second + "," + options)
                .start();
        jvm.ready();
        return jvm;
    }

    private static String mask(Jvm jvm, String thread) throws IOException {
        return Kernel.maskOfThread(jvm.pid(), jvm.startThread(thread));
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
                "# places\nlast-* -> slots 1\nset-* -> cpus " + first + ",4000\nfree-* -> process\n");
        try (Jvm jvm = start(jdk, "rules=" + file + ",rule=one-*")) {
            assertThat(mask(jvm, "last-1")).isEqualTo(second);
            assertThat(mask(jvm, "last-2")).isEqualTo(second);
            assertThat(mask(jvm, "set-1")).isEqualTo(first);
            assertThat(mask(jvm, "free-1")).isEqualTo(both);
            assertThat(Kernel.maskOfThread(jvm.pid(), Integer.parseInt(jvm.ask("child one-1 free-2"))))
                    .isEqualTo(both);
            assertThat(jvm.messages()).singleElement().asString().contains("some CPUs that thread rules name");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void presetsNameTheThreadsOfEngines(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "preset=spark,preset=kafka,strict")) {
            assertThat(mask(jvm, "Executor task launch worker for task 1.0 in stage 0.0 (TID 3)"))
                    .isEqualTo(first);
            assertThat(mask(jvm, "data-plane-kafka-request-handler-4")).isEqualTo(second);
            assertThat(mask(jvm, "shuffle-client-1-1")).isEqualTo(both);
            assertThat(jvm.messages()).isEmpty();
        }
    }

    /** Masks by what the kernel calls the thread; GC and compiler threads appear in the first moments. */
    private static Set<String> masksOf(Jvm jvm, String names) throws Exception {
        TreeMap<String, String> found = new TreeMap<>();
        for (int tid : Kernel.masks(jvm.pid()).keySet()) {
            Path task = Path.of("/proc/" + jvm.pid() + "/task/" + tid);
            try {
                String comm = Files.readString(task.resolve("comm")).strip();
                if (comm.matches(names)) {
                    found.put(comm + tid, Kernel.maskOfThread(jvm.pid(), tid));
                }
            } catch (IOException e) {
                if (Files.exists(task)) {
                    throw e;
                }
            }
        }
        return new TreeSet<>(found.values());
    }

    private static void await(Jvm jvm, String names, String mask) throws Exception {
        Set<String> found = masksOf(jvm, names);
        for (int i = 0; i < 1200 && !found.equals(Set.of(mask)); i++) {
            Thread.sleep(50);
            found = masksOf(jvm, names);
        }
        assertThat(found).isEqualTo(Set.of(mask));
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
}
