package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.berth.binding.internal.NativeBridge;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Thread rules of a JVM on the last node: masks of its threads by complete names, and what the agent reads in HotSpot's tables for them. */
@Tag(Guest.TAG)
@Tag("rules")
class RulesByFullNameTest {
    /** More than the 15 bytes that the kernel keeps of a name, and equal in them. */
    private static final String READER = "shuffle-client-reader";

    private static final String WRITER = "shuffle-client-writer";
    private static final int WORKERS = 4;

    private final Topology machine = Guest.topology();

    @Test
    void threadsHaveTheSlotsAndCpusOfTheirRulesAlsoByANewName() throws Exception {
        CpuSet home = machine.numaNode(machine.nodeSet().last()).orElseThrow().cpuSet();
        String options = String.join(
                ",",
                "cpus=" + home,
                "rule=worker-*->slot",
                "rule=" + READER + "->cpus " + home.first(),
                "rule=" + WRITER + "->cpus " + home.last(),
                "gc=cpus " + home.first(),
                "jit=cpus " + home.last(),
                "strict");
        Process process = start("-agentpath:" + Guest.library() + "=" + options);
        try (BufferedReader out = process.inputReader()) {
            Map<String, Integer> tids = tids(out);
            long pid = process.pid();
            Set<String> slots = new TreeSet<>();
            for (int i = 0; i < WORKERS; i++) {
                slots.add(mask(pid, of(tids, "worker-" + i)));
            }
            Set<String> single = new TreeSet<>();
            for (int cpu : home.toArray()) {
                single.add("" + cpu);
            }
            assertThat(slots).as("slots of the workers").isEqualTo(single);
            String kept = ProcStatus.of(pid, of(tids, READER)).name();
            assertThat(kept).as("name in the kernel").isEqualTo("shuffle-client-");
            assertThat(mask(pid, of(tids, READER))).as("mask by the name").isEqualTo(home.first() + "");
            assertThat(mask(pid, of(tids, "other"))).as("mask without a rule").isEqualTo(home.toString());
            kernelThreads(pid, "GC Thread", "" + home.first());
            kernelThreads(pid, "C1 Compiler", "" + home.last());
            process.outputWriter().append("rename\n").flush();
            assertThat(out.readLine()).as("answer").isEqualTo("renamed");
            assertThat(mask(pid, of(tids, READER))).as("mask by the new name").isEqualTo(home.last() + "");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Not the way that has no need of them, which is to ask for Thread.print. */
    @Test
    void theKernelsIdsOfJavaThreadsAreInTheTablesOfTheJvm() {
        CountDownLatch end = new CountDownLatch(1);
        Map<Thread, Integer> own = new ConcurrentHashMap<>();
        for (int i = 0; i < WORKERS; i++) {
            Thread thread = new Thread(() -> {
                own.put(Thread.currentThread(), tid());
                await(end);
            });
            thread.setDaemon(true);
            thread.start();
        }
        Await.until("threads", () -> own.size() == WORKERS);
        try {
            own.forEach((thread, tid) ->
                    assertThat(NativeBridge.javaThreadId(thread)).as("id").isEqualTo(tid));
        } finally {
            end.countDown();
        }
    }

    private static void kernelThreads(long pid, String name, String cpus) {
        Map<Integer, String> masks = ProcStatus.masks(pid, thread -> thread.startsWith(name));
        assertThat(masks.isEmpty()).as("there is a thread " + name).isFalse();
        assertThat(Set.copyOf(masks.values())).as("masks of threads " + name).isEqualTo(Set.of(cpus));
    }

    private static String mask(long pid, int tid) {
        return ProcStatus.of(pid, tid).cpus();
    }

    private static Process start(String agent) throws IOException {
        List<String> command = GuestJava.command();
        command.addAll(List.of("-XX:+UseParallelGC", "-XX:TieredStopAtLevel=1", agent, Named.class.getName()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Lines such as "4711 worker-0", then "ready". */
    private static Map<String, Integer> tids(BufferedReader out) throws IOException {
        Map<String, Integer> tids = new TreeMap<>();
        for (String line = out.readLine(); line != null && !line.equals("ready"); line = out.readLine()) {
            String[] words = line.split(" ", 2);
            tids.put(words[1], Integer.parseInt(words[0]));
        }
        return tids;
    }

    private static int of(Map<String, Integer> tids, String name) {
        return Objects.requireNonNull(tids.get(name), name);
    }

    private static int tid() {
        try {
            return Integer.parseInt(
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the threads, one after the other; when it is told to, one of them takes another name. */
    static final class Named {
        private Named() {}

        public static void main(String[] arguments) throws Exception {
            CountDownLatch rename = new CountDownLatch(1);
            CountDownLatch renamed = new CountDownLatch(1);
            List<String> names = new ArrayList<>(List.of(READER, "other"));
            for (int i = 0; i < WORKERS; i++) {
                names.add("worker-" + i);
            }
            for (String name : names) {
                CountDownLatch started = new CountDownLatch(1);
                new Thread(
                                () -> {
                                    System.out.println(tid() + " " + name);
                                    started.countDown();
                                    await(rename);
                                    if (name.equals(READER)) {
                                        // Only a thread that renames itself is followed.
                                        Thread.currentThread().setName(WRITER);
                                        renamed.countDown();
                                    }
                                    await(new CountDownLatch(1));
                                },
                                name)
                        .start();
                started.await();
            }
            System.out.println("ready");
            System.in.read();
            rename.countDown();
            renamed.await();
            System.out.println("renamed");
        }
    }
}
