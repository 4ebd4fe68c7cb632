package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of pools of every kind; their masks are read from /proc. */
@Timeout(120)
class BoundPoolTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private static String mask() {
        return ProcStatus.callingThread().cpus();
    }

    /** The mask of each of the pool's threads, in which as many tasks wait for each other. */
    private static Set<String> masks(ExecutorService pool, int threads) throws Exception {
        CyclicBarrier together = new CyclicBarrier(threads);
        Callable<String> task = () -> {
            together.await();
            return mask();
        };
        List<Future<String>> futures = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            futures.add(pool.submit(task));
        }
        Set<String> masks = new HashSet<>();
        for (Future<String> future : futures) {
            masks.add(future.get());
        }
        return masks;
    }

    private static List<String> cores() {
        return MACHINE.topology().allowedCores().stream().map(CpuSet::toString).toList();
    }

    @Test
    void aPoolHasAThreadOnEachAllowedCoreUntilItIsClosed() throws Exception {
        BoundPool pool = BoundPool.onCores(MACHINE, "worker");
        try (pool) {
            assertThat(pool.size()).isEqualTo(cores().size());
            assertThat(masks(pool, pool.size())).containsExactlyInAnyOrderElementsOf(cores());
            assertThat(ProcStatus.masks(ProcessHandle.current().pid(), name -> name.startsWith("worker-")))
                    .hasSize(pool.size());
        }
        assertThat(pool.isTerminated()).isTrue();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> pool.submit(() -> {}));
        Await.until(
                "no thread of the pool",
                () -> ProcStatus.masks(ProcessHandle.current().pid(), name -> name.startsWith("worker-"))
                        .isEmpty());
    }

    /** The kernel gives a thread the mask of its starter, which is a bound one where a pool replaces a thread or grows. */
    @Test
    void threadsThatBoundThreadsHaveStartedGetTheirFormerMaskBack() throws Exception {
        String own = mask();
        AtomicInteger next = new AtomicInteger();
        SlotBinder slots = SlotBinder.ofCores(MACHINE);
        ExecutorService pool = Executors.newFixedThreadPool(4, slots.threadFactory(task -> {
            Thread thread = new Thread(task, "again-" + next.getAndIncrement());
            thread.setUncaughtExceptionHandler((dead, e) -> {});
            return thread;
        }));
        ForkJoinPool forkJoin = new ForkJoinPool(8, slots.forkJoinThreadFactory(), null, false);
        try {
            for (int i = 0; i < 40; i++) {
                pool.execute(() -> {
                    throw new IllegalStateException("ends its thread");
                });
            }
            forkJoin.submit(() -> IntStream.range(0, 500).parallel().forEach(i -> LockSupport.parkNanos(100_000)))
                    .get();
            Await.until("threads were replaced", () -> next.get() > 40);
            masks(pool, 4);
            slots.close();
            List<String> left =
                    new ArrayList<>(ProcStatus.masks(ProcessHandle.current().pid(), name -> name.startsWith("again-"))
                            .values());
            left.addAll(ProcStatus.masks(ProcessHandle.current().pid(), name -> name.startsWith("ForkJoinPool"))
                    .values());
            assertThat(left).hasSizeGreaterThanOrEqualTo(5).containsOnly(own);
        } finally {
            pool.shutdownNow();
            forkJoin.shutdownNow();
        }
    }

    @Test
    void aFactoryOfVirtualThreadsIsRefused() throws Exception {
        Machine.requireJava(21);
        Class<?> builder = Class.forName("java.lang.Thread$Builder");
        ThreadFactory virtual = (ThreadFactory) builder.getMethod("factory")
                .invoke(Thread.class.getMethod("ofVirtual").invoke(null));
        try (SlotBinder slots = SlotBinder.ofCores(MACHINE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> slots.threadFactory(virtual).newThread(() -> {}))
                    .withMessageContaining("virtual threads, which cannot be bound");
        }
    }

    @Test
    void aPoolOfSomebodyElseIsBoundByItsThreadFactory() throws Exception {
        try (SlotBinder slots = SlotBinder.ofCores(MACHINE)) {
            ExecutorService pool =
                    Executors.newFixedThreadPool(slots.size(), slots.threadFactory(Executors.defaultThreadFactory()));
            try {
                assertThat(masks(pool, slots.size())).containsExactlyInAnyOrderElementsOf(cores());
            } finally {
                pool.shutdownNow();
            }
        }
    }

    @Test
    void aForkJoinPoolIsBound() throws Exception {
        try (SlotBinder slots = SlotBinder.ofCores(MACHINE)) {
            ForkJoinPool pool = new ForkJoinPool(slots.size(), slots.forkJoinThreadFactory(), null, false);
            try {
                assertThat(masks(pool, slots.size())).containsExactlyInAnyOrderElementsOf(cores());
            } finally {
                pool.shutdownNow();
            }
        }
    }

    @Test
    void aFactoryOfOneSlotBindsEachThreadThere() throws Exception {
        int last = SlotBinder.ofCores(MACHINE).size() - 1;
        try (SlotBinder slots = SlotBinder.ofCores(MACHINE)) {
            ThreadFactory factory = slots.threadFactory(last, Thread::new);
            for (int i = 0; i < 2; i++) {
                assertThat(maskIn(factory)).isEqualTo(cores().get(last));
            }
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> slots.threadFactory(last + 1, Thread::new));
        }
    }

    private static String maskIn(ThreadFactory factory) throws InterruptedException {
        AtomicReference<String> mask = new AtomicReference<>("");
        Thread thread = factory.newThread(() -> mask.set(mask()));
        thread.start();
        thread.join();
        return Objects.requireNonNull(mask.get());
    }

    @Test
    void aWrappedTaskGivesItsThreadTheFormerMaskBack() throws Exception {
        AtomicReference<String> inside = new AtomicReference<>();
        AtomicReference<String> after = new AtomicReference<>();
        try (SlotBinder slots = SlotBinder.ofCores(MACHINE)) {
            Thread thread = new Thread(() -> {
                slots.wrap(() -> inside.set(mask())).run();
                after.set(mask());
            });
            thread.start();
            thread.join();
        }
        assertThat(cores()).contains(inside.get());
        assertThat(after.get()).isEqualTo(Machine.cpuList());
    }

    @Test
    void aThreadTakesTheSlotThatItNamesAndNoOther() throws Exception {
        Machine.requireCpus(2);
        try (SlotBinder slots = SlotBinder.ofCores(MACHINE)) {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                int last = slots.size() - 1;
                assertThat(thread.submit(() -> slots.bindTo(last)).get())
                        .isEqualTo(slots.slots().get(last));
                assertThat(thread.submit(BoundPoolTest::mask).get()).isEqualTo(cores().get(last));
                if (last > 0) {
                    thread.submit(() -> assertThatIllegalStateException().isThrownBy(() -> slots.bindTo(0)))
                            .get();
                }
            } finally {
                thread.shutdownNow();
            }
        }
    }

    @Test
    void closingGivesThreadsThatWorkTheirMasksBack() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        SlotBinder slots = SlotBinder.ofCores(MACHINE);
        List<Thread> threads = new ArrayList<>();
        CountDownLatch bound = new CountDownLatch(slots.size());
        for (int i = 0; i < slots.size(); i++) {
            threads.add(slots.threadFactory(task -> new Thread(task, "bound-pool"))
                    .newThread(() -> {
                        bound.countDown();
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }));
        }
        threads.forEach(Thread::start);
        try {
            bound.await();
            assertThat(masksOf("bound-pool")).containsExactlyInAnyOrderElementsOf(cores());
            slots.close();
            assertThat(masksOf("bound-pool")).hasSize(cores().size()).containsOnly(Machine.cpuList());
            assertThatIllegalStateException().isThrownBy(slots::bind).withMessageContaining("closed");
        } finally {
            end.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static List<String> masksOf(String name) {
        return List.copyOf(
                ProcStatus.masks(ProcessHandle.current().pid(), name::equals).values());
    }

    @Test
    void aTaskRunsBoundAndItsThreadsInherit() throws Exception {
        CpuSet one = CpuSet.of(Machine.cpus().get(0));
        Binder binder = MACHINE.binder();
        String before = mask();
        AtomicReference<String> child = new AtomicReference<>();
        String inside = binder.callBound(one, () -> {
            Thread thread = new Thread(() -> child.set(mask()));
            thread.start();
            thread.join();
            return mask();
        });
        assertThat(inside).isEqualTo(one.toString());
        assertThat(child.get()).isEqualTo(one.toString());
        assertThat(mask()).isEqualTo(before);
        binder.runBound(one, () -> assertThat(mask()).isEqualTo(one.toString()));
        assertThat(mask()).isEqualTo(before);
    }
}
