package org.berth.spark;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.berth.binding.internal.jvm.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that runs an action again and again until it is closed. */
final class PeriodicThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicThread.class);
    static final long SECOND_MILLIS = 1000;

    private final Thread thread;

    /**
     * Starts the thread. What the action throws is told once a kind, and the next second it runs again.
     *
     * @param action returns the milliseconds until it is to run again
     */
    PeriodicThread(LongSupplier action) {
        thread = new Thread(() -> run(action), "berth-spark-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(LongSupplier action) {
        Set<String> told = new HashSet<>();
        try {
            long pauseMillis = SECOND_MILLIS;
            while (true) {
                Thread.sleep(pauseMillis);
                pauseMillis = SECOND_MILLIS;
                try {
                    pauseMillis = action.getAsLong();
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
            thread.join(10 * SECOND_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
