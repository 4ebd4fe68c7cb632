package org.berth.uploads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Two threads that wait for a monitor, and to be notified; then it waits to be ended. */
final class WaitingProgram {
    static final String DONE = "waited";
    static final int THREADS = 10;

    private static final long HELD_MILLIS = 50;

    private WaitingProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        Object monitor = new Object();
        Thread entering = new Thread(
                () -> {
                    synchronized (monitor) {
                        System.out.println("entered");
                    }
                },
                "entering");
        synchronized (monitor) {
            entering.start();
            while (entering.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
            Thread.sleep(HELD_MILLIS);
        }
        entering.join();
        Thread waiting = new Thread(
                () -> {
                    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HELD_MILLIS);
                    synchronized (monitor) {
                        try {
                            while (System.nanoTime() < end) {
                                monitor.wait(HELD_MILLIS);
                            }
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                },
                "PacketResponder: test");
        waiting.start();
        waiting.join();
        System.out.println(DONE);
        new CountDownLatch(1).await();
    }
}
