package org.berth.rpc.link;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.berth.transport.Connection;
import org.berth.transport.Receiver;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection of the transport, for the calls of many threads. The thread of a call sends it, and receives
 * while it waits. Thread-safe.
 *
 * <p>A reply begins with the number of its call and its {@linkplain #WHOLE kind}, in four bytes each.
 */
public final class ClientLink implements Receiver, AutoCloseable {
    /** Hadoop's response header and the response follow. */
    public static final int WHOLE = 0;
    /** The response is larger than the client takes; its size follows, in eight bytes. */
    public static final int TOO_LARGE = 1;
    /** What is before a response. */
    public static final int REPLY_HEADER_BYTES = 2 * Integer.BYTES;

    /** What a thread waits in one go; far from where nanoseconds overflow. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.HOURS.toNanos(1);

    private final PendingCalls calls = new PendingCalls();
    private final int largestRequestBytes;
    private volatile @Nullable Connection connection;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;
    private final AtomicInteger sent = new AtomicInteger();

    private ClientLink(int largestRequestBytes) {
        this.largestRequestBytes = largestRequestBytes;
    }

    /**
     * Connects with the token of an offer.
     *
     * @param host the server's address
     * @param largestResponseBytes what this client takes
     * @throws TransportException REFUSED with the server's reason, CLOSED, TIMEOUT
     */
    public static ClientLink connect(
            Transport transport, String host, Offer offer, int largestResponseBytes, long timeoutNanos)
            throws TransportException {
        Token token = offer.token();
        if (token == null) {
            throw new TransportException(TransportException.Kind.REFUSED, offer.reason());
        }
        int largest = Math.min(offer.largestRequestBytes(), transport.settings().largestMessageBytes());
        // The engine began by the settings of its first client, which may take less.
        int response = Math.min(largestResponseBytes, transport.settings().largestMessageBytes() - REPLY_HEADER_BYTES);
        ClientLink link = new ClientLink(largest);
        link.connection = transport.connect(
                host + ":" + offer.port(), new Introduction(token, response).toBytes(), link, timeoutNanos);
        RpcCounters.instance().connectionOpened(link.provider());
        return link;
    }

    /** Whether it takes calls, as far as is known. */
    public boolean isOpen() {
        return !closed;
    }

    /** What one request may have, with its headers. */
    public int largestRequestBytes() {
        return largestRequestBytes;
    }

    /** The provider that carries it now. */
    public String provider() {
        return opened().provider();
    }

    /** How many calls it has sent; it may overflow. */
    public int sent() {
        return sent.get();
    }

    /** Whether no call waits for its reply. */
    public boolean isIdle() {
        return calls.isEmpty();
    }

    /**
     * A buffer for a request.
     *
     * @throws TransportException as of {@link Connection#lease}
     */
    public MessageBuffer lease(int size, long timeoutNanos) throws TransportException {
        return opened().lease(size, timeoutNanos);
    }

    /**
     * Sends a call. When it throws or returns false, nothing was sent.
     *
     * @param request which is released in any case
     * @return false when the connection is closed, or a call of this number waits already
     */
    public boolean send(int id, MessageBuffer request, PendingCall call) {
        if (!calls.add(id, call)) {
            request.release();
            return false;
        }
        try {
            sent.incrementAndGet();
            opened().send(request);
            RpcCounters.instance().callSent();
            return true;
        } catch (TransportException notSent) {
            if (calls.remove(id) == null) {
                awaitCompletion(call);
            }
            return false;
        }
    }

    /**
     * Waits for the reply of a call that was sent.
     *
     * @param timeoutMillis 0 for no limit
     * @return the reply, which the caller releases
     * @throws IOException InterruptedIOException, SocketTimeoutException, or why the connection was lost: nobody knows
     * then     whether the call has run
     */
    public MessageBuffer await(int id, PendingCall call, int timeoutMillis) throws IOException {
        Connection through = opened();
        long start = System.nanoTime();
        long limit = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (!call.signal().isSet()) {
            long left = limit == 0 ? LONGEST_WAIT_NANOS : limit - (System.nanoTime() - start);
            if (left > 0 && through.await(call.signal(), Math.min(left, LONGEST_WAIT_NANOS))) {
                break;
            }
            boolean isInterrupted = Thread.currentThread().isInterrupted();
            if (isInterrupted || left <= 0) {
                if (calls.remove(id) == null) {
                    awaitCompletion(call);
                    break;
                }
                throw isInterrupted ? new InterruptedIOException("Call interrupted") : timeout(start, timeoutMillis);
            }
            // The time is over, or the transport is: the receiver is about to hear of it.
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(100));
        }
        MessageBuffer reply = call.reply();
        if (reply == null) {
            throw lost();
        }
        return reply;
    }

    private SocketTimeoutException timeout(long start, int timeoutMillis) {
        // A peer that sent nothing at all may be gone silently; the next call finds out by a new connection.
        if (opened().receivedNanos() - start < 0) {
            close(new EOFException("the server was silent for " + timeoutMillis + " ms"));
        }
        return new SocketTimeoutException(timeoutMillis
                + " millis timeout while waiting for a response over the transport, from " + opened().peer());
    }

    /** Another thread has taken the call and is about to complete it. */
    private static void awaitCompletion(PendingCall call) {
        while (!call.signal().isSet()) {
            Thread.onSpinWait();
        }
    }

    private IOException lost() {
        IOException why = failure;
        return why != null ? why : new EOFException("the server closed the connection");
    }

    @Override
    public void received(Connection from, MessageBuffer message) {
        if (message.bytes().limit() < REPLY_HEADER_BYTES) {
            message.release();
            close(new IOException("the server's reply is malformed"));
            return;
        }
        PendingCall call = calls.remove(message.bytes().getInt(0));
        if (call == null) {
            message.release(); // Its caller has given up.
        } else {
            call.complete(message);
        }
    }

    @Override
    public void closed(Connection from, @Nullable TransportException cause) {
        if (cause != null && failure == null) {
            SocketException reset = new SocketException(String.valueOf(cause.getMessage()));
            reset.initCause(cause);
            failure = reset;
        }
        failAll();
    }

    private void failAll() {
        closed = true;
        calls.close().forEach(call -> call.complete(null));
    }

    /** Closes it; calls that wait fail for that reason. */
    public void close(IOException why) {
        if (failure == null) {
            failure = why;
        }
        failAll();
        opened().close();
    }

    @Override
    public void close() {
        closed = true;
        failAll();
        opened().close();
    }

    private Connection opened() {
        Connection known = connection;
        if (known == null) {
            throw new IllegalStateException("the connection is not open yet");
        }
        return known;
    }
}
