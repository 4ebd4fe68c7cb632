package org.berth.numavm;

import java.time.Duration;
import java.util.Map;

/**
 * Shows what a check that takes long is doing: the stacks of the JVM's threads and the processes, before the host stops
 * the guest for its silence and it is too late to see.
 */
final class Silence {
    /** Half of what the host waits for; the longest check takes a quarter of it on two idle cores. */
    private static final Duration PATIENCE = Duration.ofSeconds(200);

    private volatile String now = "the start";
    private volatile long sinceNanos = System.nanoTime();

    /** Starts to watch; the thread ends with the JVM. */
    Silence() {
        Thread watcher = new Thread(this::watch, "silence");
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Says what is done from now on. */
    void now(String what) {
        now = what;
        sinceNanos = System.nanoTime();
    }

    private void watch() {
        while (true) {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException ended) {
                return;
            }
            if (System.nanoTime() - sinceNanos > PATIENCE.toNanos()) {
                tell();
                sinceNanos = System.nanoTime();
            }
        }
    }

    private void tell() {
        System.out.println("guest: silent for " + PATIENCE.toSeconds() + " s since: " + now + "; the processes:");
        ProcessHandle.allProcesses()
                .filter(process -> process.info().command().isPresent())
                .forEach(process -> System.out.println("  " + process.pid() + " "
                        + process.info().commandLine().orElse("")));
        System.out.println("guest: the JVM's threads:");
        for (Map.Entry<Thread, StackTraceElement[]> thread :
                Thread.getAllStackTraces().entrySet()) {
            System.out.println(
                    "  " + thread.getKey().getName() + " " + thread.getKey().getState());
            for (StackTraceElement frame : thread.getValue()) {
                System.out.println("    " + frame);
            }
        }
    }
}
