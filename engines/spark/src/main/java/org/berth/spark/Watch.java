package org.berth.spark;

/** A daemon thread that does something once a second until it is closed. */
final class Watch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 1000;

    private final Thread thread;

    /** Starts; the action must not throw. */
    Watch(Runnable action) {
        thread = new Thread(() -> run(action), "berth-spark-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(Runnable action) {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                action.run();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the last action has ended, so that nobody binds anything afterwards. */
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
