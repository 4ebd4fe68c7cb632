package org.berth.spark;

import java.util.HashSet;
import java.util.Set;
import org.berth.binding.internal.jvm.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that runs an action once a second until it is closed. */
final class PeriodicThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicThread.class);
    private static final long PERIOD_MILLIS = 1000;

    private final Thread thread;

    /** Starts the thread. What the action throws is told once a kind, and the next second it runs again. */
    PeriodicThread(Runnable action) {
        thread = new Thread(() -> run(action), "berth-spark-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(Runnable action) {
        Set<String> told = new HashSet<>();
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                try {
                    action.run();
                } catch (Throwable e) {
                    if (told.add(e.getClass().getName())) {
                        LOG.warn("Berth: the look after the executor failed, and goes on: {}", FailureText.of(e));
                    }
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the last action has ended, so that nothing is bound afterwards. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(10 * PERIOD_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
