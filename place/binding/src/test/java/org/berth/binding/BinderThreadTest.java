package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@SuppressWarnings("try") // a scope is there to be closed
class BinderThreadTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final Binder binder = MACHINE.binder();
    private final CpuSet allowed = MACHINE.topology().allowedCpuSet();
    private final int[] cpus = Machine.requireCpus(2);

    @Test
    void bindsToEachAllowedCpuAndGivesTheMaskBack() throws IOException {
        String before = kernelMask();
        for (int cpu : allowed.toArray()) {
            BoundScope bound = binder.bindThread(CpuSet.of(cpu));
            assertThat(kernelMask()).isEqualTo(String.valueOf(cpu));
            assertThat(binder.currentCpu()).isEqualTo(cpu);
            assertThat((Object) binder.threadCpus()).isEqualTo(CpuSet.of(cpu));
            bound.close();
            assertThat(kernelMask()).isEqualTo(before);
        }
    }

    @Test
    void tasksetSeesTheSame() throws IOException, InterruptedException {
        Tool.require("taskset");
        try (BoundScope bound = binder.bindThread(CpuSet.of(cpus[1]))) {
            String seen = Tool.output("taskset", "-cp", String.valueOf(binder.currentThreadId()));
            assertThat(seen).endsWith(": " + cpus[1]);
        }
    }

    @Test
    void theThreadIdIsTheKernels() throws IOException {
        Path self = Path.of("/proc/thread-self").toRealPath();
        assertThat(binder.currentThreadId())
                .isEqualTo(Integer.parseInt(self.getFileName().toString()));
    }

    @Test
    void movesOnlyAThreadThatHasAnotherMask() throws IOException {
        try (BoundScope bound = binder.bindThread(CpuSet.of(cpus[0]))) {
            assertThat(binder.bindThreadForGood(CpuSet.of(cpus[1]))).isTrue();
            assertThat(kernelMask()).isEqualTo(String.valueOf(cpus[1]));
            assertThat(binder.currentCpu()).isEqualTo(cpus[1]);
            assertThat(binder.bindThreadForGood(CpuSet.of(cpus[1]))).isFalse();
            assertThat(kernelMask()).isEqualTo(String.valueOf(cpus[1]));
        }
    }

    /** A thread that stays costs one system call, one that moves three; strace counts them. */
    @Test
    void aMoveIsOneReadOneSetAndOneCheck(@TempDir Path directory) throws Exception {
        List<List<String>> calls =
                TracedCalls.of(directory, MoveAndStay.class, String.valueOf(cpus[0]), String.valueOf(cpus[1]));
        List<String> move = List.of("sched_getaffinity", "sched_setaffinity", "sched_getaffinity");
        assertThat(calls).hasSize(5);
        assertThat(calls.subList(1, 4)).containsExactly(move, List.of("sched_getaffinity"), move);
    }

    /** Moves to the first CPU, stays there, and moves to the second one. */
    static final class MoveAndStay {
        private MoveAndStay() {}

        public static void main(String[] arguments) {
            Binder binder = LocalMachine.open().binder();
            CpuSet first = CpuSet.parseList(arguments[0]);
            CpuSet second = CpuSet.parseList(arguments[1]);
            TracedCalls.mark();
            boolean moved = binder.bindThreadForGood(first);
            TracedCalls.mark();
            boolean stayed = !binder.bindThreadForGood(first);
            TracedCalls.mark();
            boolean movedAgain = binder.bindThreadForGood(second);
            TracedCalls.mark();
            assertThat(moved && stayed && movedAgain).isTrue();
            System.out.println(binder.currentThreadId());
        }
    }

    @Test
    void closingTwiceRestoresOnce() throws IOException {
        try (BoundScope outer = binder.bindThread(CpuSet.of(cpus[0]))) {
            BoundScope inner = binder.bindThread(CpuSet.of(cpus[1]));
            inner.close();
            binder.setThreadCpusUnverified(CpuSet.of(cpus[1]));
            inner.close();
            assertThat(kernelMask()).isEqualTo(String.valueOf(cpus[1]));
        }
    }

    @Test
    void refusesCpusOutsideBeforeAskingTheKernel() throws IOException {
        String before = kernelMask();
        int outside = allowed.last() + 1;
        for (CpuSet asked : new CpuSet[] {CpuSet.of(outside), CpuSet.of(cpus[0], outside), CpuSet.full()}) {
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> binder.bindThreadForGood(asked))
                    .satisfies(Oracle::assertOneLine)
                    .withMessageContaining(asked.minus(allowed) + " are not allowed here");
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> binder.setThreadCpusUnverified(asked))
                    .satisfies(Oracle::assertOneLine)
                    .withMessageContaining(asked.minus(allowed) + " are not allowed here")
                    .withMessageEndingWith("this process may use CPUs " + allowed)
                    .satisfies(e -> assertThat(e.errno()).isZero());
        }
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.bindThread(CpuSet.empty()))
                .withMessageContaining("no CPU is given");
        assertThat(kernelMask()).isEqualTo(before);
    }

    @Test
    void bindsAnotherThreadByItsId() throws Exception {
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            tid.set(binder.currentThreadId());
            started.countDown();
            awaitQuietly(end);
        });
        other.start();
        started.await();
        binder.setThreadCpusUnverified(tid.get(), CpuSet.of(cpus[1]));
        assertThat(maskOf(tid.get())).isEqualTo(String.valueOf(cpus[1]));
        assertThat((Object) binder.threadCpus(tid.get())).isEqualTo(CpuSet.of(cpus[1]));
        end.countDown();
        other.join();
        awaitEnd(tid.get());
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.setThreadCpusUnverified(tid.get(), CpuSet.of(cpus[0])))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ESRCH))
                .withMessage("cannot bind thread " + tid.get() + " to CPUs " + cpus[0]
                        + ": ESRCH (no such process or thread); it has ended: ps -eLf lists the threads that live");
    }

    @Test
    void bindsAnotherThreadItselfAndGivesItsMaskBack() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            tid.set(ProcStatus.callingThread().tid());
            started.countDown();
            awaitQuietly(end);
        });
        other.start();
        started.await();
        String before = maskOf(tid.get());
        String mine = kernelMask();
        try (BoundScope bound = binder.bindThread(other, CpuSet.of(cpus[1]))) {
            assertThat(maskOf(tid.get())).isEqualTo(String.valueOf(cpus[1]));
            assertThat(kernelMask()).isEqualTo(mine);
        }
        assertThat(maskOf(tid.get())).isEqualTo(before);
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.bindThread(other, CpuSet.of(allowed.last() + 1)))
                .withMessageContaining("are not allowed here");
        BoundScope unclosed = binder.bindThread(other, CpuSet.of(cpus[1]));
        end.countDown();
        other.join();
        unclosed.close();
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.bindThread(other, CpuSet.of(cpus[1])))
                .withMessageEndingWith("it has ended");
        assertThat(kernelMask()).isEqualTo(mine);
    }

    @Test
    void theOwnThreadCanBeNamedToo() throws IOException {
        try (BoundScope bound = binder.bindThread(Thread.currentThread(), CpuSet.of(cpus[1]))) {
            assertThat(kernelMask()).isEqualTo(String.valueOf(cpus[1]));
        }
    }

    @Test
    void anotherThreadMayCloseAScope() throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        try {
            String before = worker.submit(BinderThreadTest::kernelMask).get();
            BoundScope bound =
                    worker.submit(() -> binder.bindThread(CpuSet.of(cpus[1]))).get();
            assertThat(worker.submit(BinderThreadTest::kernelMask).get()).isEqualTo(String.valueOf(cpus[1]));
            bound.close();
            assertThat(worker.submit(BinderThreadTest::kernelMask).get()).isEqualTo(before);
        } finally {
            worker.shutdown();
        }
    }

    @Test
    void aScopeOfAThreadThatEndedClosesQuietly() throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        BoundScope bound =
                worker.submit(() -> binder.bindThread(CpuSet.of(cpus[1]))).get();
        worker.shutdown();
        Await.until("the end of the thread", worker::isTerminated);
        String mine = kernelMask();
        bound.close();
        assertThat(kernelMask()).isEqualTo(mine);
    }

    /** The carrier keeps its mask and its policy, which /proc tells from within. */
    @Test
    void nothingAboutTheCallingThreadIsDoneInAVirtualOne() throws Exception {
        Machine.requireJava(21);
        CpuSet other = CpuSet.of(cpus[1]);
        MemoryPolicy policy =
                new MemoryPolicy(MemoryMode.BIND, MACHINE.topology().allowedNodeSet());
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("bind the calling thread", () -> binder.bindThread(other));
        calls.put("bind the calling thread ", () -> binder.bindThreadForGood(other));
        calls.put("bind the calling thread  ", () -> binder.setThreadCpusUnverified(other));
        calls.put("bind the calling thread   ", () -> binder.setThreadCpusUnverified(0, other));
        calls.put("bind new memory of the calling thread", () -> binder.bindMemory(policy));
        calls.put("look beyond the mask of the calling thread", binder::cpusetCpus);
        calls.put("read the CPU mask of the calling thread", binder::threadCpus);
        calls.put("read the CPU mask of the calling thread ", () -> binder.threadCpus(0));
        calls.put("read the kernel id of the calling thread", binder::currentThreadId);
        calls.put("read the memory policy of the calling thread", binder::memoryPolicy);
        List<String> masks = new CopyOnWriteArrayList<>();
        Map<String, Throwable> thrown = new ConcurrentHashMap<>();
        Runnable all = () -> calls.forEach((name, call) -> {
            masks.add(kernelMask());
            Throwable refused = catchThrowable(call);
            thrown.put(name, refused == null ? new AssertionError("accepted") : refused);
            masks.add(kernelMask());
        });
        // By reflection, because the code is compiled for Java 17.
        Thread virtual = (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, all);
        virtual.join();
        assertThat(thrown).containsOnlyKeys(calls.keySet());
        thrown.forEach((name, refused) -> assertThat(refused)
                .isInstanceOf(BindingException.class)
                .hasMessage(
                        "cannot " + name.strip() + ": it is a virtual thread; use the platform threads that carry it"));
        assertThat(masks).containsOnly(allowed.toString());
    }

    private static String kernelMask() {
        return ProcStatus.callingThread().cpus();
    }

    private static String maskOf(int tid) {
        return ProcStatus.of(ProcessHandle.current().pid(), tid).cpus();
    }

    private static void awaitEnd(int tid) {
        Await.until(
                "the end of the thread",
                () -> ProcStatus.find(ProcessHandle.current().pid(), tid).isEmpty());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
