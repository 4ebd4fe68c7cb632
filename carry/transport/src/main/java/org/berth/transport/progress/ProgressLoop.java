package org.berth.transport.progress;

import java.lang.System.Logger;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.berth.transport.failure.Refusals;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * Drives one poller, by its progress thread or by a thread that waits for a reply.
 *
 * <p>A reply that a progress thread receives costs the waiting thread a wake-up, which is most of a short round trip
 * (18
 * microseconds between two CPUs of a virtual machine, where the message itself takes 10). So a thread that waits drives
 * the
 * loop itself when no other thread does ("leader and followers"), and the progress thread stays away from a loop that
 * was driven so a moment ago. One thread at a time drives, by the lock {@code driving}.
 *
 * <p>It is not part of the API.
 *
 * @see <a href="https://www.dre.vanderbilt.edu/~schmidt/PDF/lf.pdf">Schmidt and others: Leader/Followers</a>
 */
public final class ProgressLoop {
    private static final Logger LOG = System.getLogger(ProgressLoop.class.getName());
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long the progress thread leaves a loop alone after a caller has driven it. */
    private static final long LENT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * Number of attempts; with growing pauses they take 50 seconds, in which other work may release memory or files. */
    private static final int LARGEST_FAILURES = 100;

    private static final long FAILURE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Refusals told = new Refusals();
    private final Poller poller;
    private final long failurePauseNanos;
    private final Idling idling;
    private final ReentrantLock driving = new ReentrantLock();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Signal> followers = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;
    private volatile long lentNanos = System.nanoTime() - LENT_NANOS;
    private long tickedNanos = System.nanoTime();
    /** Polls that have failed since the last success. */
    private int failures;

    private volatile @Nullable TransportException end;

    public ProgressLoop(Poller poller, WaitMode mode) {
        this(poller, mode, FAILURE_PAUSE_NANOS);
    }

    public ProgressLoop(Poller poller, WaitMode mode, long failurePauseNanos) {
        this.poller = poller;
        this.failurePauseNanos = failurePauseNanos;
        this.idling = new Idling(mode);
    }

    /**
     * The body of the progress thread; returns after {@link #close}.
     *
     * @param place binds the thread, or finds in a nanosecond that it is bound
     */
    public void run(Runnable place) {
        thread = Thread.currentThread();
        while (!closed) {
            long lentFor = LENT_NANOS - (System.nanoTime() - lentNanos);
            if (lentFor > 0 && tasks.isEmpty()) {
                LockSupport.parkNanos(this, lentFor);
                continue;
            }
            driving.lock();
            try {
                do {
                    guarded(place);
                    step(TICK_NANOS);
                } while (!closed && followers.isEmpty());
            } finally {
                driving.unlock();
            }
            handOver();
        }
        driving.lock();
        try {
            runTasks();
            poller.close(end);
        } finally {
            driving.unlock();
        }
    }

    /**
     * Waits for a signal, and drives the loop meanwhile if no other thread does.
     *
     * @return false when the time is over, or the loop is closed
     */
    public boolean await(Signal signal, long timeoutNanos) {
        if (isDriver()) {
            throw new IllegalStateException("a receiver must not wait: nothing could arrive meanwhile");
        }
        long deadline = System.nanoTime() + timeoutNanos;
        signal.waits(Thread.currentThread());
        try {
            while (!signal.isSet() && !closed) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                lentNanos = System.nanoTime();
                if (driving.tryLock()) {
                    drive(signal, deadline);
                } else {
                    follow(signal, left);
                }
                if (Thread.currentThread().isInterrupted()) {
                    return signal.isSet();
                }
            }
            return signal.isSet();
        } finally {
            signal.waits(null);
        }
    }

    private void drive(Signal signal, long deadline) {
        try {
            signal.drives(this);
            while (!signal.isSet() && !closed && !Thread.currentThread().isInterrupted()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                step(Math.min(left, TICK_NANOS));
            }
        } finally {
            signal.drives(null);
            lentNanos = System.nanoTime();
            driving.unlock();
            handOver();
        }
    }

    private void follow(Signal signal, long timeoutNanos) {
        followers.add(signal);
        // The driver may have left before it could see this follower.
        if (!signal.isSet() && driving.isLocked()) {
            LockSupport.parkNanos(this, Math.min(timeoutNanos, TICK_NANOS));
        }
        followers.remove(signal);
    }

    /** The next thread that waits leads; without one, the progress thread returns without being woken. */
    private void handOver() {
        Signal next = followers.peek();
        if (next != null) {
            next.lead();
        } else if (!tasks.isEmpty()) {
            LockSupport.unpark(thread);
        }
    }

    /** Runs a task in the loop, soon. After the loop has closed, the task does not run. */
    public void execute(Runnable task) {
        tasks.add(task);
        wakeup();
    }

    /** Whether the calling thread drives the loop now. */
    public boolean isDriver() {
        return driving.isHeldByCurrentThread();
    }

    /** Ends a poll that blocks, and lets the progress thread look if there is work. */
    public void wakeup() {
        if (!isDriver()) {
            poller.wakeup();
            LockSupport.unpark(thread);
        }
    }

    public boolean isClosed() {
        return closed;
    }

    public void close() {
        closed = true;
        wakeup();
        followers.forEach(Signal::lead);
    }

    private void step(long maxWaitNanos) {
        runTasks();
        try {
            long wait = Math.min(idling.nextWaitNanos(), maxWaitNanos);
            idling.handled(poller.poll(wait));
            failures = 0;
        } catch (Throwable e) {
            failures++;
            goesOn(e);
            if (failures == LARGEST_FAILURES) {
                end(e);
            } else {
                LockSupport.parkNanos(this, failures * failurePauseNanos);
            }
        }
        long now = System.nanoTime();
        if (now - tickedNanos > TICK_NANOS) {
            tickedNanos = now;
            guarded(() -> poller.tick(now));
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
        }
    }

    /** Whatever one link does, the others need this thread. */
    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            goesOn(e);
        }
    }

    private void goesOn(Throwable e) {
        told.add("a progress thread of the transport goes on after " + e);
        try {
            LOG.log(Logger.Level.DEBUG, "the failure of a progress thread", e);
        } catch (Throwable withoutLog) {
            // Told above, as far as anything can be told.
        }
    }

    /** The poller fails whenever it is asked: all that waits for it is told, instead of waiting for good. */
    private void end(Throwable e) {
        end = new TransportException(
                TransportException.Kind.UNAVAILABLE,
                "the progress thread of the transport ended, after " + LARGEST_FAILURES
                        + " failures one after the other: " + e,
                e);
        try {
            LOG.log(Logger.Level.ERROR, "berth: " + end.getMessage());
        } catch (Throwable withoutLog) {
            // The receivers of its links are told, each with this reason.
        }
        close();
    }
}
