package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.binding.internal.launch.LaunchWords;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.GuestJvm;
import org.berth.oracle.Child;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Busy pods of two cores that no common folder tells of each other, as many as fill the machine: each has namespaces of its own for mounts,
 * processes and shared memory, as a container has. The kernel's files say which CPUs they have.
 */
@Tag(Guest.TAG)
@Tag("pods")
@Tag("release")
class PodsWithoutLedgerTest {
    private static final int CORES = 2;
    private static final String POD = "mount -t proc proc /proc && mkdir -p /dev/shm && mount -t tmpfs shm /dev/shm"
            + " && mount -t tmpfs tmpfs /run && exec \"$@\"";
    private static final String UNSEEN = "do not see the leases in /dev/shm/berth-leases";
    private static final String MOVED = "processes that do not see this lease use the CPUs";
    private static final int PAUSE_MILLIS = 1000;
    private static final int LOOKS_APART = 20;
    /** A host needs 10; emulated CPUs have a small part of the time that they believe to have. */
    private static final int LAST_MOVE_SECONDS = 120;

    private static final long REPORT_NANOS = 20_000_000_000L;

    private final List<Child> pods = new ArrayList<>();
    private final List<Long> first = new ArrayList<>();

    /** The first process of a pod takes all others with it. */
    @AfterEach
    void end() {
        pods.forEach(pod -> pod.handle().descendants().forEach(ProcessHandle::destroyForcibly));
        pods.forEach(Child::close);
    }

    private void start(List<String> command) {
        List<String> words =
                new ArrayList<>(List.of("/bin/busybox", "unshare", "-m", "-p", "-i", "-f", "sh", "-c", POD, "sh"));
        words.addAll(command);
        pods.add(Child.start(new ProcessBuilder(words)));
    }

    /** A JVM that the agent binds, or that 'berth run' becomes. */
    private void start(boolean agent) {
        List<String> command = new ArrayList<>(List.of(GuestJava.java()));
        command.addAll(GuestJava.LEAN);
        command.addAll(List.of("-Xmx32m", "-XX:-UsePerfData"));
        if (agent) {
            command.add("-agentpath:" + Guest.library() + "=domain=core:" + CORES + ",strict");
        }
        command.addAll(List.of("-cp", GuestJvm.classes(), Busy.class.getName()));
        LaunchWords run = LaunchWords.of(NativeLibrary.launcher()).withDomain(DomainRequest.of("core:" + CORES));
        start(agent ? command : run.before(command));
    }

    @Test
    @Timeout(600)
    void eachEndsOnCoresOfItsOwn() throws Exception {
        int[] cpus = Machine.cpus().stream().mapToInt(Integer::intValue).toArray();
        int count = cpus.length / CORES;
        for (int i = 0; i < count; i++) {
            start(i % 2 == 0);
        }
        pods.forEach(pod -> assertThat(pod.readLine()).isEqualTo("idle"));
        pods.forEach(pod -> first.add(descendants(pod).get(0)));
        System.out.println("pods: all " + count + " have chosen " + held());
        // Else it would wait behind the pods, which leave no CPU idle.
        Tool.output(
                "/bin/busybox",
                "renice",
                "-n",
                "-15",
                "-p",
                Integer.toString(ProcStatus.callingThread().tid()));
        long begin = System.nanoTime();
        // Not one after the other, so that each would see the load of the former ones.
        pods.forEach(pod -> pod.send("go"));
        pods.forEach(pod -> assertThat(pod.readLine()).isEqualTo("busy"));
        System.out.printf("pods: all are busy after %.1f s%n", (System.nanoTime() - begin) / 1e9);
        List<Set<Integer>> settled = lookUntilSettled(cpus, begin);
        assertThat(pods).allMatch(pod -> pod.errors().contains(UNSEEN));
        for (int i = 0; i < count; i++) {
            Set<Integer> all = new TreeSet<>();
            descendants(pods.get(i)).forEach(pid -> all.addAll(ofThreads(pid)));
            assertThat(all).as("CPUs of all threads of pod " + i).isEqualTo(settled.get(i));
        }
    }

    /** A look at pods that are on their way may see them apart by chance: they are settled when no look of a row differs. */
    private List<Set<Integer>> lookUntilSettled(int[] cpus, long begin) throws InterruptedException {
        List<Set<Integer>> last = List.of();
        int same = 0;
        double seconds = 0;
        int moves = 0;
        for (long report = begin + REPORT_NANOS; same < LOOKS_APART; ) {
            List<Set<Integer>> held = held();
            if (!held.equals(last) || moves() != moves) {
                seconds = (System.nanoTime() - begin) / 1e9;
                same = 0;
            }
            last = held;
            moves = moves();
            same = isSettled(cpus, held) ? same + 1 : 0;
            if (System.nanoTime() > report) {
                // The guest may not be silent for long.
                System.out.printf(
                        "pods: the last of %d moves was seen after %.1f s, on CPUs %s%n", moves, seconds, held);
                report += REPORT_NANOS;
            }
            assertThat(seconds).as("seconds until the last move").isLessThan(LAST_MOVE_SECONDS);
            Thread.sleep(PAUSE_MILLIS);
        }
        System.out.printf(
                "pods: %d on %d CPUs settled after %.1f s, with %d moves, and stayed for %d looks: %s%n",
                last.size(), cpus.length, seconds, moves, LOOKS_APART, last);
        return last;
    }

    /** No CPU that two hold while another one is free, and each has as many as it asked for. */
    private static boolean isSettled(int[] cpus, List<Set<Integer>> held) {
        TreeMap<Integer, Integer> users = new TreeMap<>();
        Arrays.stream(cpus).forEach(cpu -> users.put(cpu, 0));
        held.forEach(pod -> pod.forEach(cpu -> users.merge(cpu, 1, Integer::sum)));
        boolean complete = held.stream().allMatch(pod -> pod.size() == CORES);
        return complete && (!users.containsValue(0) || users.values().stream().allMatch(number -> number < 2));
    }

    /** The CPUs of the first thread of each pod: all threads move at once, and the emulated CPUs are slow. */
    private List<Set<Integer>> held() {
        return first.stream().map(pid -> cpus(ProcStatus.of(pid))).toList();
    }

    private static Set<Integer> cpus(ProcStatus thread) {
        return new TreeSet<>(KernelList.numbers(thread.cpus()));
    }

    /** The first one is that of the container. */
    private static List<Long> descendants(Child pod) {
        try (Stream<ProcessHandle> processes = pod.handle().descendants()) {
            return processes.map(ProcessHandle::pid).sorted().toList();
        }
    }

    /** The threads of Berth have all CPUs for a moment each second. */
    private static Set<Integer> ofThreads(long pid) {
        Set<Integer> cpus = new TreeSet<>();
        for (ProcStatus thread : ProcStatus.threads(pid)) {
            cpus.addAll(thread.name().startsWith("berth-") ? Set.of() : cpus(thread));
        }
        return cpus;
    }

    private int moves() {
        return pods.stream()
                .mapToInt(pod -> (int) pod.errors()
                        .lines()
                        .filter(line -> line.contains(MOVED))
                        .count())
                .sum();
    }

    /** A thread for each core that works all the time: one that slept would sleep for longer on emulated CPUs, and look idle. */
    static final class Busy {
        private Busy() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println("idle");
            System.in.read();
            for (int i = 1; i < CORES; i++) {
                new Thread(Busy::work, "working-" + i).start();
            }
            System.out.println("busy");
            work();
        }

        private static void work() {
            while (true) {
                Thread.onSpinWait();
            }
        }
    }
}
