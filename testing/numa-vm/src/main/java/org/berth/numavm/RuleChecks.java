package org.berth.numavm;

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
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** Thread rules of a JVM on the last node: masks of its threads by complete names, and what the agent reads in HotSpot's tables for them. */
final class RuleChecks {
    /** More than the 15 bytes that the kernel keeps of a name, and equal in them. */
    private static final String READER = "shuffle-client-reader";

    private static final String WRITER = "shuffle-client-writer";
    private static final int WORKERS = 4;

    private RuleChecks() {}

    static void run(Checks checks, Topology machine, Path library) {
        checks.check("the kernel's ids of Java threads are in the tables of the JVM", RuleChecks::ids);
        CpuSet home = machine.numaNode(machine.nodeSet().last()).orElseThrow().cpuSet();
        checks.check("threads have the slots and CPUs of their rules, also by a new name", () -> {
            String options = String.join(
                    ",",
                    "cpus=" + home,
                    "rule=worker-*->slot",
                    "rule=" + READER + "->cpus " + home.first(),
                    "rule=" + WRITER + "->cpus " + home.last(),
                    "gc=cpus " + home.first(),
                    "jit=cpus " + home.last(),
                    "strict");
            Process process = start("-agentpath:" + library + "=" + options);
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
                Checks.same("slots of the workers", single, slots);
                String kept = ProcStatus.of(pid, of(tids, READER)).name();
                Checks.same("name in the kernel", "shuffle-client-", kept);
                Checks.same("mask by the name", home.first() + "", mask(pid, of(tids, READER)));
                Checks.same("mask without a rule", home.toString(), mask(pid, of(tids, "other")));
                kernelThreads(pid, "GC Thread", "" + home.first());
                kernelThreads(pid, "C1 Compiler", "" + home.last());
                process.outputWriter().append("rename\n").flush();
                Checks.same("answer", "renamed", out.readLine());
                Checks.same("mask by the new name", home.last() + "", mask(pid, of(tids, READER)));
            } finally {
                process.destroyForcibly().waitFor();
            }
        });
    }

    /** Not the way that has no need of them, which is to ask for Thread.print. */
    private static void ids() throws Exception {
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
            own.forEach((thread, tid) -> Checks.same("id", tid, NativeBridge.javaThreadId(thread)));
        } finally {
            end.countDown();
        }
    }

    private static void kernelThreads(long pid, String name, String cpus) {
        Map<Integer, String> masks = ProcStatus.masks(pid, thread -> thread.startsWith(name));
        Checks.holds("there is a thread " + name, !masks.isEmpty());
        Checks.same("masks of threads " + name, Set.of(cpus), Set.copyOf(masks.values()));
    }

    private static String mask(long pid, int tid) {
        return ProcStatus.of(pid, tid).cpus();
    }

    private static Process start(String agent) throws IOException {
        List<String> command = new ArrayList<>(LiveChecks.java());
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
