package org.berth.transport.internal.ucx;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.berth.binding.internal.library.HostCalls;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.LinkFailures;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.progress.Poller;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * A UCX worker. One thread at a time is inside the worker, by the lock {@code inside}: the driver of the loop, or a
 * thread that sends. UCX's own lock is asked for too, as {@code signal} and the wait come from outside.
 */
final class UcxPoller implements Poller {
    private static final System.Logger LOG = System.getLogger(UcxPoller.class.getName());
    /** The ids of UCX's active messages. */
    static final int DATA = 1;

    static final int OPEN = 2;
    static final int OPENED = 3;

    private static final int UCS_OK = 0;
    private static final int UCS_INPROGRESS = 1;
    private static final int UCS_ERR_BUSY = -15;
    private static final long LONGEST_CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** What one poll handles before the loop's other work has its turn. */
    private static final int LARGEST_TURN = 256;

    private final UcpWorker worker;
    private final long handle;
    private final int eventFile;
    private final long longestWaitNanos;
    private final ReentrantLock inside = new ReentrantLock();
    private final ReentrantReadWriteLock wakeups = new ReentrantReadWriteLock();
    private final Queue<MessageBuffer> outgoing = new ConcurrentLinkedQueue<>();
    private final Numbered<UcxLink> links = new Numbered<>();
    /** What callbacks inside UCX leave for the driver, which is then outside it. */
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();

    /** Inside the worker. */
    private final List<UcpRequest> closings = new ArrayList<>();

    /** On the driver. */
    private final List<UcxLink> ending = new ArrayList<>();

    private @Nullable Opening opening;
    private boolean closed;
    private volatile boolean destroyed;

    /** Asked of by peers that open a link. */
    interface Opening {
        void open(long peerLink, byte[] peerAddress);
    }

    /** On the progress thread, which has its place by now: UCX measures how far devices are from the thread's CPUs. */
    UcxPoller(UcpContext context, long longestWaitNanos) {
        this.longestWaitNanos = longestWaitNanos;
        this.worker = context.newWorker(new UcpWorkerParams().requestThreadSafety());
        this.handle = worker.getNativeId();
        this.eventFile = worker.getEventFD();
        long whole = UcpConstants.UCP_AM_FLAG_WHOLE_MSG | UcpConstants.UCP_AM_FLAG_PERSISTENT_DATA;
        worker.setAmRecvHandler(DATA, (header, size, data, endpoint) -> arrived(header, size, data), whole);
        worker.setAmRecvHandler(OPEN, (header, size, data, endpoint) -> opens(header, size, data), whole);
        worker.setAmRecvHandler(OPENED, (header, size, data, endpoint) -> opened(header, size, data), whole);
    }

    byte[] address() {
        inside.lock();
        try {
            var address = worker.getAddress();
            byte[] bytes = new byte[address.remaining()];
            address.get(bytes);
            return bytes;
        } finally {
            inside.unlock();
        }
    }

    void whenOpened(Opening handler) {
        opening = handler;
    }

    Numbered<UcxLink> links() {
        return links;
    }

    /** Asks a link that is closed, once a second, whether UCX has finished with its buffers. */
    void watchEnd(UcxLink link) {
        ending.add(link);
    }

    /** Work inside the worker; for the driver. */
    void inside(Consumer<UcpWorker> work) {
        inside.lock();
        try {
            if (!closed) {
                work.accept(worker);
            }
        } finally {
            inside.unlock();
        }
    }

    /** Work for the driver after the callback that calls it. */
    void defer(Runnable work) {
        deferred.add(work);
    }

    /**
     * Sends a message whose link is in {@code sending}; the thread that finds the worker occupied leaves it to that
     * one.
     */
    void submit(MessageBuffer message) {
        boolean incomplete = false;
        // Nothing waits before it, as a message is sent under the lock under which it leaves the queue.
        if (outgoing.isEmpty() && inside.tryLock()) {
            try {
                incomplete = !UcxLink.sendNow(message, closed);
            } finally {
                inside.unlock();
            }
        } else {
            outgoing.add(message);
        }
        while (!outgoing.isEmpty() && inside.tryLock()) {
            try {
                incomplete |= drain();
            } finally {
                inside.unlock();
            }
        }
        if (incomplete) {
            // The driver may wait for events, of which the rest of a large message is none.
            wakeup();
        }
    }

    private boolean drain() {
        boolean incomplete = false;
        for (MessageBuffer message = outgoing.poll(); message != null; message = outgoing.poll()) {
            incomplete |= !UcxLink.sendNow(message, closed);
        }
        return incomplete;
    }

    @Override
    public int poll(long timeoutNanos) {
        int events = progress();
        if (events > 0 || timeoutNanos == 0) {
            return events;
        }
        if (!arm()) {
            return progress();
        }
        // A sender that found the worker occupied before this has left its message here.
        if (outgoing.isEmpty()) {
            long wait = Math.min(timeoutNanos, longestWaitNanos);
            HostCalls.waitReadable(eventFile, (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
        }
        return progress();
    }

    private int progress() {
        int events = 0;
        inside.lock();
        try {
            if (closed) {
                return 0;
            }
            drain();
            int more = worker.progress();
            while (more > 0 && events < LARGEST_TURN) {
                events += more;
                more = worker.progress();
            }
        } catch (Exception e) {
            throw new IllegalStateException("UCX failed: " + e.getMessage(), e);
        } finally {
            inside.unlock();
        }
        for (Runnable work = deferred.poll(); work != null; work = deferred.poll()) {
            work.run();
            events++;
        }
        return events;
    }

    /** False when something has happened since the last progress. */
    private boolean arm() {
        inside.lock();
        try {
            int status = closed ? UCS_ERR_BUSY : HostCalls.armUcxWorker(handle);
            if (status != UCS_OK && status != UCS_ERR_BUSY) {
                throw new IllegalStateException("UCX cannot wait for events (status " + status + ")");
            }
            return status == UCS_OK;
        } finally {
            inside.unlock();
        }
    }

    private int arrived(long header, long headerSize, UcpAmData data) {
        UcxLink link = headerSize == Long.BYTES ? links.find(HostCalls.readLong(header)) : null;
        return link != null && link.arrived(data) ? UCS_INPROGRESS : UCS_OK;
    }

    private int opens(long header, long headerSize, UcpAmData data) {
        Opening handler = opening;
        int length = (int) Math.min(data.getLength(), UcxProvider.LONGEST_ADDRESS);
        if (handler != null && headerSize == Long.BYTES && data.isDataValid()) {
            long peerLink = HostCalls.readLong(header);
            byte[] address = new byte[length];
            UcxUtils.getByteBufferView(data.getDataAddress(), length).get(address);
            defer(() -> handler.open(peerLink, address));
        }
        return UCS_OK;
    }

    private int opened(long header, long headerSize, UcpAmData data) {
        UcxLink link = headerSize == Long.BYTES ? links.find(HostCalls.readLong(header)) : null;
        if (link != null && data.isDataValid() && data.getLength() == Long.BYTES) {
            long peerLink = HostCalls.readLong(data.getDataAddress());
            defer(() -> link.isOpen(peerLink));
        }
        return UCS_OK;
    }

    @Override
    public void wakeup() {
        // Not while the worker is being destroyed.
        wakeups.readLock().lock();
        try {
            if (!destroyed) {
                worker.signal();
            }
        } finally {
            wakeups.readLock().unlock();
        }
    }

    @Override
    public void tick(long nowNanos) {
        links.forEach(
                link -> LinkFailures.apart("the periodic check of a connection failed", () -> link.tick(nowNanos)));
        inside(within -> closings.removeIf(UcpRequest::isCompleted));
        ending.removeIf(link -> link.end(nowNanos));
    }

    /** Inside the worker: an endpoint that UCX closes in its own time. */
    void closes(UcpRequest endpoint) {
        closings.add(endpoint);
    }

    @Override
    public void close(@Nullable TransportException why) {
        links.forEach(link -> LinkFailures.apart("closing a connection failed", () -> link.pollerClosed(why)));
        inside.lock();
        try {
            drain();
            closed = true;
            if (endpointsAreClosed()) {
                destroy();
            } else {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "berth: UCX has not closed its endpoints in time, so its worker is leaked until the process exits");
            }
        } finally {
            inside.unlock();
        }
        drain();
        ending.forEach(UcxLink::abandon);
        ending.clear();
    }

    private void destroy() {
        wakeups.writeLock().lock();
        try {
            destroyed = true;
            worker.close();
        } finally {
            wakeups.writeLock().unlock();
        }
    }

    /**
     * UCX ends the process (an assertion in ucp_ep.c, UCX 1.13) when a worker is destroyed before its endpoints are
     * closed.
     */
    private boolean endpointsAreClosed() {
        long deadline = System.nanoTime() + LONGEST_CLOSE_NANOS;
        do {
            closings.removeIf(UcpRequest::isCompleted);
            if (closings.isEmpty()) {
                return true;
            }
            try {
                if (worker.progress() == 0) {
                    Thread.onSpinWait();
                }
            } catch (Exception e) {
                LOG.log(System.Logger.Level.DEBUG, "UCX failed while it closed endpoints", e);
            }
        } while (System.nanoTime() < deadline);
        return false;
    }

    /** Whether nothing of UCX is left of it. */
    boolean isDestroyed() {
        return destroyed;
    }
}
