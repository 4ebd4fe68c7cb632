package org.berth.cli.shared;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets a command end in order when the user or the system stops this process (SIGINT, SIGTERM): the JVM waits in a
 * shutdown hook until the command has written its result, and then ends with the command's exit code.
 */
public final class StopSignal implements AutoCloseable {
    /** Time for the error line of a command that fails while it is being stopped. */
    private static final long LAST_WORDS_MILLIS = 200;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopInOrder, "berth-stop");
    private volatile int exitCode = 1;
    private volatile @Nullable Thread interrupted;

    private StopSignal() {}

    public static StopSignal install() {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /** The stop also interrupts this thread, at once if it has already happened. */
    public void interrupts(Thread thread) {
        interrupted = thread;
        if (stopped()) {
            thread.interrupt();
        }
    }

    public boolean stopped() {
        return stop.getCount() == 0;
    }

    /** Sleeps until this time or until the stop, whichever is first. */
    public void sleepUntil(long nanoTime) throws InterruptedException {
        boolean unused = stop.await(nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Reports that all output is written and the process may end with this code. */
    public void finished(int code) {
        exitCode = code;
        finished.countDown();
    }

    private void stopInOrder() {
        stop.countDown();
        Thread thread = interrupted;
        if (thread != null) {
            thread.interrupt();
        }
        try {
            closed.await();
            if (finished.await(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
                // The only way to choose the exit code of a process that a signal ends.
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Restores the JVM's usual shutdown, also after a failed command. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyStopping) {
            stop.countDown();
        }
    }
}
