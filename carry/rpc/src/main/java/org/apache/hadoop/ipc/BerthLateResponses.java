package org.apache.hadoop.ipc;

import java.util.ArrayDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.berth.transport.Connection;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Responses that wait on the heap until their client takes those before them, as the responses of Hadoop's own server do: neither a
 * handler nor a progress thread ever waits for a client, and what one client leaves lying takes little of the memory for all
 * others. A client that takes nothing at all is left by the transport (stall-timeout). Thread-safe.
 */
@NullMarked
final class BerthLateResponses {
    /** What waits in the transport for one client before further responses wait here. */
    private static final long MOST_QUEUED_BYTES = 4 << 20;

    private static final long AGAIN_MILLIS = 2;
    private static final ScheduledExecutorService AGAIN = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "berth-rpc-responses");
        thread.setDaemon(true);
        return thread;
    });

    private final Connection connection;
    private final long mostWaitingBytes;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean closed;

    /** @param mostWaitingBytes what may wait here; one response may always */
    BerthLateResponses(Connection connection, long mostWaitingBytes) {
        this.connection = connection;
        this.mostWaitingBytes = mostWaitingBytes;
    }

    /**
     * A buffer for a response that is sent at once.
     *
     * @return null when it has to wait here
     */
    @Nullable
    MessageBuffer lease(int size) throws TransportException {
        synchronized (this) {
            if (!waiting.isEmpty()) {
                return null;
            }
        }
        return leaseNow(size);
    }

    private @Nullable MessageBuffer leaseNow(int size) throws TransportException {
        if (connection.queuedBytes() > MOST_QUEUED_BYTES) {
            return null;
        }
        try {
            return connection.lease(size, 0);
        } catch (TransportException e) {
            if (e.kind() == TransportException.Kind.EXHAUSTED) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Sends it when it can be.
     *
     * @throws TransportException when too much waits already; the connection is closed then
     */
    void add(byte[] response) throws TransportException {
        boolean isFirst;
        synchronized (this) {
            if (closed) {
                return;
            }
            isFirst = waiting.isEmpty();
            if (!isFirst && waitingBytes + response.length > mostWaitingBytes) {
                TransportException slow = new TransportException(
                        TransportException.Kind.TIMEOUT,
                        connection.peer() + " takes its responses too slowly: " + waitingBytes + " bytes wait");
                close();
                connection.close(slow);
                throw slow;
            }
            waiting.add(response);
            waitingBytes += response.length;
        }
        if (isFirst) {
            AGAIN.execute(this::sendSome);
        }
    }

    private void sendSome() {
        try {
            for (byte[] next = first(); next != null; next = first()) {
                MessageBuffer message = leaseNow(next.length);
                if (message == null) {
                    var unused = AGAIN.schedule(this::sendSome, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                    return;
                }
                message.bytes().put(next).flip();
                connection.send(message);
                synchronized (this) {
                    if (waiting.poll() != null) {
                        waitingBytes -= next.length;
                    }
                }
            }
        } catch (TransportException ended) {
            // Its client gets no responses any more.
            close();
        } catch (Throwable e) {
            close();
            // Otherwise the client would wait for good for responses that nothing sends.
            connection.close(new TransportException(
                    TransportException.Kind.CLOSED,
                    "responses to " + connection.peer() + " cannot be sent any more: " + e,
                    e));
        }
    }

    private synchronized byte @Nullable [] first() {
        return waiting.peek();
    }

    /** Gives up what waits. */
    synchronized void close() {
        closed = true;
        waiting.clear();
        waitingBytes = 0;
    }
}
