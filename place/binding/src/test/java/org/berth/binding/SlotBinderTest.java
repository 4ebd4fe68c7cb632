package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.placement.MemoryMode;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SlotBinderTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final Binder binder = MACHINE.binder();
    private final int[] cpus = Machine.requireCpus(2);
    private final List<ExecutorService> started = new ArrayList<>();

    @AfterEach
    void endThreads() {
        started.forEach(ExecutorService::shutdownNow);
    }

    @Test
    void eachThreadGetsASlotOfItsOwnAndIsBoundToIt() throws Exception {
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(2));
        ExecutorService first = thread();
        ExecutorService second = thread();
        assertThat(in(first, slots::bind).index()).isEqualTo(0);
        assertThat(in(second, slots::bind).index()).isEqualTo(1);
        assertThat(in(first, SlotBinderTest::kernelMask)).isEqualTo(String.valueOf(cpus[0]));
        assertThat(in(second, SlotBinderTest::kernelMask)).isEqualTo(String.valueOf(cpus[1]));
        assertThat(in(first, slots::bind)).isSameAs(in(first, slots::bind));
    }

    @Test
    void aPoolThatABoundThreadMakesIsAsLargeAsOutside() throws Exception {
        ExecutorService thread = thread();
        int outside = in(thread, Runtime.getRuntime()::availableProcessors);
        try (SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(2))) {
            in(thread, slots::bind);
            assertThat(in(thread, SlotBinderTest::kernelMask)).isEqualTo(String.valueOf(cpus[0]));
            assertThat(in(thread, Runtime.getRuntime()::availableProcessors)).isEqualTo(outside);
            assertThat(in(thread, () -> Tool.output("nproc").strip())).isEqualTo("" + cpus.length);
        }
        assertThat(in(thread, Runtime.getRuntime()::availableProcessors)).isEqualTo(outside);
    }

    @Test
    void moreThreadsThanSlotsShareEvenly() throws Exception {
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(2));
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            indexes.add(in(thread(), slots::bind).index());
        }
        assertThat(indexes).containsExactly(0, 1, 0, 1, 0, 1);
    }

    @Test
    void aReleaseGivesMaskAndSlotBack() throws Exception {
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(2));
        ExecutorService first = thread();
        String before = in(first, SlotBinderTest::kernelMask);
        release(slots, first);
        in(first, slots::bind);
        assertThat(in(first, SlotBinderTest::kernelMask))
                .isEqualTo(String.valueOf(cpus[0]))
                .isNotEqualTo(before);
        in(thread(), slots::bind);
        release(slots, first);
        release(slots, first);
        assertThat(in(first, SlotBinderTest::kernelMask)).isEqualTo(before);
        ExecutorService third = thread();
        assertThat(in(third, slots::bind).index()).isEqualTo(0);
        assertThat(in(first, slots::bind).index())
                .as("the least used, now both are")
                .isEqualTo(0);
    }

    @Test
    void aThreadThatEndedWithoutAReleaseFreesItsSlot() throws Exception {
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(2));
        in(thread(), slots::bind);
        for (int i = 0; i < 20; i++) {
            AtomicReference<Slot> slot = new AtomicReference<>();
            Thread brief = new Thread(() -> slot.set(slots.bind()));
            brief.start();
            brief.join();
            assertThat(slot.get())
                    .as("thread %d", i)
                    .isNotNull()
                    .extracting(Slot::index)
                    .isEqualTo(1);
        }
    }

    @Test
    void noEndedThreadIsKept() throws Exception {
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(2));
        WeakReference<Thread> ended = new WeakReference<>(ended(slots));
        Await.until("the collection of the thread", () -> {
            System.gc();
            return ended.get() == null;
        });
        assertThat(in(thread(), slots::bind).index()).isEqualTo(0);
    }

    @Test
    void newMemoryFollowsAndComesBack() throws Exception {
        Machine.requireNuma();
        NodeSet nodes = MACHINE.topology().allowedNodeSet();
        Slot slot = Slot.of(0, CpuSet.of(cpus[0])).withMemoryNodes(nodes);
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.BIND, List.of(slot));
        ExecutorService thread = thread();
        MemoryPolicy before = in(thread, binder::memoryPolicy);
        in(thread, slots::bind);
        assertThat(in(thread, binder::memoryPolicy)).isEqualTo(new MemoryPolicy(MemoryMode.BIND, nodes));
        release(slots, thread);
        assertThat(in(thread, binder::memoryPolicy)).isEqualTo(before);
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        Slot other = Slot.of(0, CpuSet.of(cpus[0])).withRole("shuffle");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> SlotBinder.of(binder, MemoryMode.LOCAL, List.of(other)))
                .withMessage("none of 1 slots has the role task");
        int outside = MACHINE.topology().allowedCpuSet().last() + 1;
        Slot beyond = Slot.of(3, CpuSet.of(outside));
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> SlotBinder.of(binder, MemoryMode.LOCAL, List.of(beyond)))
                .satisfies(Oracle::assertOneLine)
                .withMessageStartingWith("cannot bind threads of slot 3 to CPUs " + outside);
    }

    @Test
    void aThreadWhoseMemoryCannotBeBoundIsAsBeforeAndHoldsNoSlot() throws Exception {
        NodeSet absent = NodeSet.of(MACHINE.topology().allowedNodeSet().last() + 1);
        List<Slot> both =
                List.of(Slot.of(0, CpuSet.of(cpus[0])).withMemoryNodes(absent), Slot.of(1, CpuSet.of(cpus[1])));
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.BIND, both);
        ExecutorService thread = thread();
        String before = in(thread, SlotBinderTest::kernelMask);
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> in(thread, slots::bind))
                    .withCauseInstanceOf(BindingException.class)
                    .withMessageContaining("nodes " + absent + " are not allowed here");
            assertThat(in(thread, SlotBinderTest::kernelMask)).isEqualTo(before);
        }
    }

    @Test
    void aVirtualThreadIsRefused() throws Exception {
        Machine.requireJava(21);
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(2));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Runnable ask = () -> thrown.set(catchThrowable(slots::bind));
        // By reflection, because the code is compiled for Java 17.
        Thread virtual = (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, ask);
        virtual.join();
        assertThat(thrown.get())
                .isInstanceOf(BindingException.class)
                .hasMessageStartingWith("cannot bind the calling thread: it is a virtual thread;");
        assertThat(in(thread(), slots::bind).index()).isEqualTo(0);
    }

    /** Threads that come, go and end in any order leave all slots free. */
    @Test
    void nothingIsLostWhenThreadsComeAndGo() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int count = 5;
        SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, slots(count));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long own = random.nextLong();
            threads.add(new Thread(() -> comeAndGo(slots, new Random(own))));
            threads.get(i).start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            indexes.add(in(thread(), slots::bind).index());
        }
        assertThat(indexes).containsExactly(0, 1, 2, 3, 4);
    }

    /** The kernel is asked when the thread is bound, and not when it asks again; strace sees both. */
    @Test
    void askingAgainIsNoSystemCall(@TempDir Path directory) throws Exception {
        List<List<String>> calls = TracedCalls.of(directory, AskOften.class, String.valueOf(cpus[0]));
        assertThat(calls).hasSize(3);
        assertThat(calls.get(0)).endsWith("sched_setaffinity", "sched_getaffinity");
        assertThat(calls.get(1)).isEmpty();
    }

    static final class AskOften {
        private AskOften() {}

        public static void main(String[] arguments) {
            Binder binder = LocalMachine.open().binder();
            Slot slot = Slot.of(0, CpuSet.parseList(arguments[0]));
            SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, List.of(slot));
            int found = 1 - slots.bind().index();
            TracedCalls.mark();
            for (int i = 0; i < 1_000_000; i++) {
                found += 1 - slots.bind().index();
            }
            TracedCalls.mark();
            assertThat(found).isEqualTo(1_000_001);
            System.out.println(binder.currentThreadId());
        }
    }

    private List<Slot> slots(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> Slot.of(index, CpuSet.of(cpus[index % 2])))
                .toList();
    }

    private ExecutorService thread() {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        started.add(thread);
        return thread;
    }

    private static <T> T in(ExecutorService thread, Callable<T> call) throws Exception {
        return thread.submit(call).get();
    }

    private static void release(SlotBinder slots, ExecutorService thread) throws Exception {
        Future<?> done = thread.submit(slots::release);
        done.get();
    }

    private static Thread ended(SlotBinder slots) throws InterruptedException {
        Thread thread = new Thread(slots::bind);
        thread.start();
        thread.join();
        return thread;
    }

    private static void comeAndGo(SlotBinder slots, Random random) {
        for (int i = random.nextInt(10); i >= 0; i--) {
            slots.bind();
            if (random.nextBoolean()) {
                slots.release();
            }
        }
    }

    private static String kernelMask() throws IOException {
        return ProcStatus.callingThread().cpus();
    }
}
