package org.berth.spark.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads with the names that Spark gives, their masks read from /proc. */
@Tag("cluster")
@Timeout(120)
class SparkServiceThreadsTest {
    private final LocalMachine machine = LocalMachine.open();
    private final CpuSet allowed = machine.topology().allowedCpuSet();
    private final CountDownLatch end = new CountDownLatch(1);
    private CpuSet slot = CpuSet.empty();
    private CpuSet spare = CpuSet.empty();

    /** A thread that waits, and its id in the kernel as it read it itself. */
    private record Waiting(Thread thread, int tid) {
        String mask() {
            return ProcStatus.of(ProcessHandle.current().pid(), tid).cpus();
        }
    }

    @BeforeEach
    void needTwoCpus() {
        Machine.requireCpus(2);
        slot = CpuSet.of(allowed.first());
        spare = allowed.minus(slot);
    }

    @AfterEach
    void endThreads() {
        end.countDown();
    }

    @Test
    void presentAndLateOnesAreBoundByRoleAndGivenBack() throws Exception {
        Waiting early = waiting("shuffle-server-5-1", CpuSet.empty());
        Waiting task = waiting("Executor task launch worker for task 0.0 in stage 0.0 (TID 0)", slot);
        Waiting strange = waiting("rpc-client-3-1", slot);
        Waiting late;
        Waiting pool;
        try (SparkServiceThreads threads = start(Map.of("spark.berth.threads.rpc", "off"))) {
            assertThat(early.mask()).isEqualTo(spare.toString());
            assertThat(gcMasks().values()).containsOnly(allowed.toString());
            late = waiting("shuffle-client-6-1", slot);
            pool = waiting("pool of the job", slot);
            threads.taskStarted();
            await(late, spare);
            await(pool, allowed);
            assertThat(task.mask()).isEqualTo(slot.toString());
            assertThat(strange.mask()).isEqualTo(slot.toString());
            assertThat(threads.bound())
                    .contains(
                            new SparkServiceThreads.BoundThread("shuffle-server", "shuffle-server-5-1", spare),
                            new SparkServiceThreads.BoundThread("shuffle-client", "shuffle-client-6-1", spare),
                            new SparkServiceThreads.BoundThread("other", "pool of the job", allowed))
                    .noneMatch(bound -> bound.role().equals("rpc"));
        }
        // The mask that it inherited from a task is not what it would have had without the plugin.
        assertThat(late.mask()).isEqualTo(allowed.toString());
        assertThat(early.mask()).isEqualTo(allowed.toString());
        assertThat(pool.mask()).isEqualTo(allowed.toString());
        assertThat(task.mask()).isEqualTo(slot.toString());
        assertThat(gcMasks().values()).containsOnly(allowed.toString());
    }

    @Test
    void threadThatSomebodyElsePlacedStays() throws Exception {
        Waiting placed = waiting("rpc-client-3-1", slot);
        // No task has a slot, so no thread can have inherited it.
        try (SparkServiceThreads threads = start(Map.of(), List.of())) {
            // Not at once: while a cpuset changes, masks are like that, too.
            Await.until(
                    "a note",
                    threads::notes,
                    notes -> notes.stream().anyMatch(note -> note.contains("rpc-client-3-1 keeps CPUs " + slot)));
            assertThat(placed.mask()).isEqualTo(slot.toString());
        }
        assertThat(placed.mask()).isEqualTo(slot.toString());
    }

    @Test
    void threadBornWhereTheTasksWereBeforeIsBound() throws Exception {
        Waiting late = waiting("rpc-client-3-1", slot);
        try (SparkServiceThreads threads = start(Map.of(), List.of(), Set.of(slot))) {
            assertThat(late.mask()).isEqualTo(allowed.toString());
            assertThat(threads.notes()).noneMatch(note -> note.contains("rpc-client-3-1"));
        }
        assertThat(late.mask()).isEqualTo(allowed.toString());
    }

    @Test
    void jvmThreadsAreBoundWhereTheUserSays() throws Exception {
        // Those that are there: a collector may start another thread at any moment.
        Set<Integer> present = gcMasks().keySet();
        assertThat(present).isNotEmpty();
        try (SparkServiceThreads threads = start(Map.of("spark.berth.threads.gc", "cpus:" + slot))) {
            assertThat(masks(present)).containsOnly(slot.toString());
            assertThat(threads.bound()).anyMatch(bound -> bound.role().equals("gc"));
        }
        assertThat(masks(present)).containsOnly(allowed.toString());
    }

    private static List<String> masks(Set<Integer> tids) throws IOException {
        Map<Integer, String> masks = gcMasks();
        masks.keySet().retainAll(tids);
        return List.copyOf(masks.values());
    }

    private SparkServiceThreads start(Map<String, String> conf) {
        return start(conf, List.of(slot));
    }

    private SparkServiceThreads start(Map<String, String> conf, List<CpuSet> slots) {
        return start(conf, slots, Set.of());
    }

    private SparkServiceThreads start(Map<String, String> conf, List<CpuSet> slots, Set<CpuSet> former) {
        return SparkServiceThreads.start(
                machine.binder(), machine.topology(), allowed, slots, former, ServiceSettings.of(conf));
    }

    private Waiting waiting(String name, CpuSet cpus) throws InterruptedException {
        Binder binder = machine.binder();
        CountDownLatch ready = new CountDownLatch(1);
        int[] tid = new int[1];
        Thread thread = new Thread(
                () -> {
                    if (!cpus.isEmpty()) {
                        binder.setThreadCpusUnverified(cpus);
                    }
                    tid[0] = ProcStatus.callingThread().tid();
                    ready.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        ready.await();
        return new Waiting(thread, tid[0]);
    }

    private static void await(Waiting thread, CpuSet cpus) {
        Await.until("a thread on " + cpus, thread::mask, cpus.toString()::equals);
    }

    /** Threads of any collector that this JVM may have: all have such names, or collect in the VM Thread. */
    private static Map<Integer, String> gcMasks() throws IOException {
        Map<Integer, String> masks = new TreeMap<>();
        for (String beginning : List.of("VM Thread", "GC Thread#", "G1 ")) {
            masks.putAll(ProcStatus.masks(ProcessHandle.current().pid(), name -> name.startsWith(beginning)));
        }
        return masks;
    }
}
