package org.berth.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/** What the child JVMs of the tests do. */
public final class ChildProgram {
    public static final long LIVE_BYTES = 160L << 20;
    private static final int ARRAY_BYTES = 5 << 20;
    private static final List<byte[]> LIVE = new ArrayList<>();

    private ChildProgram() {}

    /** A JVM that runs it, bound by taskset. */
    public static Child start(String cpus, String... arguments) {
        Child jvm = ChildJvm.of(ChildProgram.class, arguments)
                .under("taskset", "-c", cpus)
                // No thread comes or goes unasked: compilers and helpers of other collectors do.
                .with("-XX:+UseSerialGC", "-XX:-UseDynamicNumberOfCompilerThreads")
                .start();
        jvm.readLine(); // it is ready
        return jvm;
    }

    /** A single thread that never sleeps, on one CPU. */
    public static Child startBusyShell(int cpu) {
        Child shell =
                Child.start("taskset", "-c", Integer.toString(cpu), "sh", "-c", "echo ready; while :; do :; done");
        shell.readLine();
        return shell;
    }

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
            case "sleep" -> startAndWait("a sleeper (odd) name", ChildProgram::sleep);
            case "collect" -> collect();
            case "churn" -> startAndWait("churner", ChildProgram::churn);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        Thread.sleep(200); // so that the JVM's own threads are there
        System.out.println("ready");
        sleep();
    }

    /** Large arrays that are made while the collector marks, and so touched by another view of ZGC's heap than later. */
    private static void collect() {
        Thread collector = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                System.gc();
            }
        });
        collector.start();
        for (long made = 0; made < LIVE_BYTES; made += ARRAY_BYTES) {
            LIVE.add(new byte[ARRAY_BYTES]);
        }
        collector.interrupt();
    }

    /** Thousands of threads that live for less than a millisecond. */
    private static void churn() {
        while (true) {
            start("mayfly", () -> {});
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(600_000); // a bound, should nobody end us
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when it runs, and so has its name in the kernel too. */
    private static void startAndWait(String name, Runnable work) throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        start(name, () -> {
            runs.countDown();
            work.run();
        });
        runs.await();
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
