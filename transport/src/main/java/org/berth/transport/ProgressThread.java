package org.berth.transport;

import java.util.concurrent.TimeUnit;

/** A thread of the engine and its loop. */
final class ProgressThread {
    private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final ProgressLoop loop;
    private final Thread thread;

    ProgressThread(String name, ProgressLoop loop) {
        this.loop = loop;
        this.thread = new Thread(loop::run, name);
        thread.setDaemon(true);
    }

    ProgressLoop loop() {
        return loop;
    }

    void start() {
        thread.start();
    }

    /** Waits until the thread has ended, unless it is this one that ends it. */
    void close() {
        loop.close();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
