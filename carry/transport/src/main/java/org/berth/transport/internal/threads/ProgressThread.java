package org.berth.transport.internal.threads;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.berth.transport.failure.TransportException;
import org.berth.transport.progress.Poller;
import org.berth.transport.progress.ProgressLoop;
import org.berth.transport.progress.WaitMode;

/** A thread of the engine, the loop that it drives, and what that polls. */
public final class ProgressThread<P extends Poller> {
    private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final Thread thread;
    private final CompletableFuture<Started<P>> started = new CompletableFuture<>();

    private record Started<P>(P poller, ProgressLoop loop) {}

    /**
     * Starts the thread.
     *
     * @param place binds the thread, before it makes what it polls: UCX looks where the thread is then
     */
    public ProgressThread(String name, WaitMode mode, Runnable place, Callable<P> open) {
        this.thread = new Thread(
                () -> {
                    try {
                        run(mode, place, open);
                    } finally {
                        Spinners.ended(mode);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(WaitMode mode, Runnable place, Callable<P> open) {
        ProgressLoop loop;
        try {
            place.run();
            P poller = open.call();
            loop = new ProgressLoop(poller, mode);
            started.complete(new Started<>(poller, loop));
        } catch (Throwable e) {
            // Whatever it is, others wait for the start.
            started.completeExceptionally(e);
            return;
        }
        loop.run(place);
    }

    public P poller() throws TransportException {
        return started().poller();
    }

    public ProgressLoop loop() throws TransportException {
        return started().loop();
    }

    private Started<P> started() throws TransportException {
        try {
            return started.get();
        } catch (ExecutionException e) {
            throw new TransportException(
                    TransportException.Kind.UNAVAILABLE,
                    "thread " + thread.getName() + " cannot start: " + e.getCause(),
                    e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    TransportException.Kind.CLOSED, "interrupted in the start of thread " + thread.getName(), e);
        }
    }

    /** Ends the thread and waits for it, unless it is this one that ends it. */
    public void close() {
        try {
            loop().close();
            if (Thread.currentThread() != thread) {
                thread.join(END_MILLIS);
            }
        } catch (TransportException neverStarted) {
            // There is nothing to end.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
