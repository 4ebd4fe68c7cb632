package org.berth.cli.watch;

import java.util.Map;
import java.util.function.Supplier;

/**
 * Complete names of threads for the live table. A JVM is asked by a thread of its own, once after a second and then each half minute: a
 * table must not wait for it. Thread-safe.
 */
final class LiveNames implements AutoCloseable {
    private static final long FIRST_MILLIS = 1000;
    private static final long EVERY_MILLIS = 30_000;

    private final Thread thread;
    private volatile Map<Integer, String> complete = Map.of();

    /** @param question asks the process; empty where nothing is known */
    LiveNames(Supplier<Map<Integer, String>> question) {
        thread = new Thread(() -> run(question), "berth-names");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Supplier<Map<Integer, String>> question) {
        try {
            for (long pause = FIRST_MILLIS; ; pause = EVERY_MILLIS) {
                Thread.sleep(pause);
                Map<Integer, String> names = question.get();
                if (names.isEmpty()) {
                    return; // no JVM, or one that does not answer
                }
                complete = Map.copyOf(names);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    Map<Integer, String> complete() {
        return complete;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
