package org.berth.binding.internal.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.binding.Binder;
import org.berth.binding.JavaProcess;
import org.berth.binding.LocalMachine;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

/** Each test is a program in a JVM that checks the use of JNI. */
class ThreadIdTest {
    @Test
    void twoHundredThreadsOfEqualNamesAreToldApart() throws IOException, InterruptedException {
        assertThat(JavaProcess.of(Alike.class).run().lines())
                .containsExactly(
                        "kernel names: [a-rather-long-p]", "200 of 200 by structures", "200 of 200 by Thread.print");
    }

    @Test
    void theThreadsOfTheJvmItselfHaveTheNamesThatTheKernelKnows() throws IOException, InterruptedException {
        assertThat(JavaProcess.of(Others.class).run())
                .contains("Reference Handl", "Finalizer", "Signal Dispatch", "Common-Cleaner");
    }

    /** Threads that end while they are asked for: the right id, or none. */
    @Test
    void anIdIsNeverThatOfAnotherThread() throws IOException, InterruptedException {
        String[] counts = JavaProcess.of(ShortLived.class).run().split(" ", -1);
        assertThat(counts).hasSize(2);
        assertThat(Integer.parseInt(counts[0])).as("found alive").isPositive();
        assertThat(Integer.parseInt(counts[1])).as("found with a wrong id").isZero();
    }

    @Test
    void aThreadWithoutAnIdIsRefusedInOneLine() throws IOException, InterruptedException {
        List<String> expected = new ArrayList<>(List.of(
                "cannot find the kernel id of thread early: it has not been started; call start() before",
                "cannot find the kernel id of thread late: ESRCH (no such process or thread); it has ended"));
        if (Runtime.version().feature() >= 21) {
            expected.add("cannot find the kernel id of thread : it is a virtual thread;"
                    + " use the platform threads that carry it");
            expected.add("cannot bind thread : it is a virtual thread; use the platform threads that carry it");
            expected.add("a virtual thread asks for main: right");
        }
        assertThat(JavaProcess.of(Without.class).run().lines()).containsExactlyElementsOf(expected);
    }

    @Test
    void aJreWithoutManagementSaysSoWhenItIsNeeded() throws IOException, InterruptedException {
        JavaProcess java = JavaProcess.of(Bare.class).option("--limit-modules=java.base");
        assertThat(java.run().lines())
                .containsExactly(
                        "from the JVM's own structures",
                        "cannot find the kernel id of thread main: Thread.print needs the module java.management, which"
                                + " this JRE lacks; add java.management and jdk.management to the JRE");
    }

    @Test
    void theListIsReadInBothForms() {
        String list = """
                "a" #7 daemon prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007f nid=0x1267 waiting on condition  [0x0]
                "b" #8 [4712] daemon prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007f nid=4712 runnable  [0x0]
                "b" #8 prio=5 nid=0x
                "a" #70 prio=5 nid=1 runnable
                "c "x" #9 prio=5 nid=9 runnable
                """;
        assertThat(ThreadPrint.find(list, "a", 7)).isEqualTo(0x1267);
        assertThat(ThreadPrint.find(list, "b", 8)).isEqualTo(4712);
        assertThat(ThreadPrint.find(list, "c \"x", 9)).isEqualTo(9);
        assertThat(ThreadPrint.find(list, "b", 7)).isZero();
        assertThat(ThreadPrint.find("", "a", 7)).isZero();
        // A name may hold what looks like another thread's line.
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> ThreadPrint.find(list + "\"a\" #7 prio=5 nid=12 runnable\n", "a", 7))
                .withMessage(
                        "cannot find the kernel id of thread a: Thread.print lists it twice; give it another name");
    }

    private static Binder binder() {
        return LocalMachine.open().binder();
    }

    private static int kernelsOwn() {
        try {
            return Integer.parseInt(
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** 200 threads whose names differ behind the 15 characters that the kernel keeps. */
    static final class Alike {
        private static final int COUNT = 200;

        private Alike() {}

        public static void main(String[] arguments) throws Exception {
            Binder binder = binder();
            int[] own = new int[COUNT];
            CountDownLatch started = new CountDownLatch(COUNT);
            CountDownLatch end = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                int number = i;
                threads.add(new Thread(
                        () -> {
                            own[number] = kernelsOwn();
                            started.countDown();
                            await(end);
                        },
                        "a-rather-long-prefix-worker-" + i));
                threads.get(i).start();
            }
            started.await();
            Map<String, Integer> names = new TreeMap<>();
            int byStructures = 0;
            int byPrint = 0;
            for (int i = 0; i < COUNT; i++) {
                names.put(
                        Files.readString(Path.of("/proc/self/task/" + own[i] + "/comm"))
                                .strip(),
                        i);
                byStructures += binder.threadId(threads.get(i)) == own[i] ? 1 : 0;
                byPrint += JavaThreadIds.byThreadPrint(threads.get(i)) == own[i] ? 1 : 0;
            }
            System.out.println("kernel names: " + names.keySet());
            System.out.println(byStructures + " of " + COUNT + " by structures");
            System.out.println(byPrint + " of " + COUNT + " by Thread.print");
            end.countDown();
        }
    }

    /** Threads that this program did not start. */
    static final class Others {
        private Others() {}

        private static String comm(int tid) throws IOException {
            return Files.readString(Path.of("/proc/self/task/" + tid + "/comm")).strip();
        }

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Binder binder = binder();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                String name = thread.getName();
                String comm = comm(binder.threadId(thread));
                // The launcher names its thread after the program. Others name themselves when they begin to run.
                for (int i = 0; i < 300 && !name.equals("main") && !name.startsWith(comm); i++) {
                    Thread.sleep(100);
                    comm = comm(binder.threadId(thread));
                }
                if (!name.equals("main") && !name.startsWith(comm)) {
                    throw new AssertionError(name + " has the id of " + comm);
                }
                System.out.println(comm);
            }
        }
    }

    /** Prints how many ids were found, and how many of them were wrong. */
    static final class ShortLived {
        private static final int ROUNDS = 3000;

        private ShortLived() {}

        public static void main(String[] arguments) throws InterruptedException {
            Binder binder = binder();
            int found = 0;
            int wrong = 0;
            for (int round = 0; round < ROUNDS; round++) {
                AtomicInteger own = new AtomicInteger();
                Thread thread = new Thread(() -> own.set(binder.currentThreadId()));
                thread.start();
                int told = -1;
                try {
                    for (int spin = 0; spin < round % 50; spin++) {
                        Thread.onSpinWait();
                    }
                    told = binder.threadId(thread);
                } catch (BindingException e) {
                    if (!String.valueOf(e.getMessage()).endsWith("it has ended")) {
                        throw e;
                    }
                }
                thread.join();
                found += told > 0 ? 1 : 0;
                wrong += told > 0 && told != own.get() ? 1 : 0;
            }
            System.out.println(found + " " + wrong);
        }
    }

    /** Threads that have no id, or not one of their own. */
    static final class Without {
        private Without() {}

        public static void main(String[] arguments) throws Exception {
            Binder binder = binder();
            tell(() -> binder.threadId(new Thread(() -> {}, "early")));
            Thread late = new Thread(() -> {}, "late");
            late.start();
            late.join();
            tell(() -> binder.threadId(late));
            if (Runtime.version().feature() >= 21) {
                CountDownLatch end = new CountDownLatch(1);
                Thread virtual = virtual(() -> await(end));
                tell(() -> binder.threadId(virtual));
                tell(() -> binder.bindThread(virtual, CpuSet.of(binder.currentCpu())));
                Thread main = Thread.currentThread();
                int own = kernelsOwn();
                virtual(() -> System.out.println("a virtual thread asks for main: "
                                + (binder.threadId(main) == own ? "right" : "wrong")))
                        .join();
                end.countDown();
            }
        }

        /** Uses reflection, because the code is compiled for Java 17. */
        private static Thread virtual(Runnable task) throws ReflectiveOperationException {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        }

        private static void tell(Runnable call) {
            try {
                call.run();
                System.out.println("no exception");
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Both ways in a JRE of one module. */
    static final class Bare {
        private Bare() {}

        public static void main(String[] arguments) {
            NativeLibrary.load();
            System.out.println(JavaThreadIds.way());
            try {
                System.out.println(JavaThreadIds.byThreadPrint(Thread.currentThread()));
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
