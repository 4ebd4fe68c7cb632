package org.berth.spark;

/** A daemon thread that runs an action once a second until it is closed. */
final class PeriodicThread implements AutoCloseable {
    private static final long PERIOD_MILLIS = 1000;

    private final Thread thread;

    /** Starts the thread; the action must not throw. */
    PeriodicThread(Runnable action) {
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
