package org.berth.experiments.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While it is open, the exit of this JVM first interrupts the thread that opened it and waits until that thread has put
 * its affairs in order.
 */
final class InterruptOnExit implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final Thread owner;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopOwner, "berth-experiment-exit");
    private volatile boolean cleansUp;

    private InterruptOnExit(Thread owner) {
        this.owner = owner;
    }

    static InterruptOnExit ofThisThread() {
        InterruptOnExit guard = new InterruptOnExit(Thread.currentThread());
        try {
            Runtime.getRuntime().addShutdownHook(guard.hook);
        } catch (IllegalStateException exiting) {
            guard.owner.interrupt();
        }
        return guard;
    }

    /** Whether the owner, which must be the caller, has been asked to stop. */
    boolean stopped() {
        return owner.isInterrupted();
    }

    /** The owner begins or ends to clean up, which has a time limit of its own. */
    void cleansUp(boolean now) {
        cleansUp = now;
    }

    private void stopOwner() {
        if (cleansUp) {
            System.err.println("berth: stops when the command of --cleanup has ended");
        }
        owner.interrupt();
        try {
            boolean inTime = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            while (!inTime && cleansUp) {
                inTime = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            if (!inTime) {
                System.err.println("berth: an experiment did not stop in time; its command may still run");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // The hook runs already, and has just been released.
        }
    }
}
