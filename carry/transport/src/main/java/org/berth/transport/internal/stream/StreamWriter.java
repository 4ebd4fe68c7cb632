package org.berth.transport.internal.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.MessageBuffer;

/**
 * Sends the messages of a link in their order. The thread that sends writes to the socket itself, so that a message
 * costs no hand-off; what the socket does not take waits for the loop. Thread-safe.
 */
final class StreamWriter {
    /** Number of buffers for one call of the kernel (IOV_MAX is 1024; more than 16 brings nothing). */
    private static final int GATHERED = 16;

    private final StreamLink link;
    private final SocketChannel channel;
    private final EngineParts parts;
    private final ByteBuffer[] gathered = new ByteBuffer[GATHERED];
    private final ArrayDeque<MessageBuffer> queue = new ArrayDeque<>();
    private long queuedBytes;
    private long movedNanos;
    private boolean blocked;

    StreamWriter(StreamLink link, SocketChannel channel, EngineParts parts) {
        this.link = link;
        this.channel = channel;
        this.parts = parts;
    }

    void send(FrameKind kind, MessageBuffer message) throws TransportException {
        boolean closed;
        synchronized (this) {
            closed = link.isClosed();
            if (!closed) {
                ByteBuffer frame = message.framed(kind);
                if (queue.isEmpty()) {
                    movedNanos = System.nanoTime();
                }
                queue.add(message);
                queuedBytes += frame.remaining();
            }
        }
        if (closed) {
            TransportException failure = link.closedFailure();
            message.finish(failure);
            throw failure;
        }
        flush();
    }

    synchronized long queuedBytes() {
        return queuedBytes;
    }

    synchronized boolean isEmpty() {
        return queue.isEmpty();
    }

    /** 0 while nothing waits. */
    synchronized long stalledSince(long nowNanos) {
        return queue.isEmpty() ? 0 : nowNanos - movedNanos;
    }

    /** Writes what the socket takes. */
    void flush() {
        try {
            write();
        } catch (IOException e) {
            link.close(new TransportException(
                    TransportException.Kind.CLOSED, "cannot send to " + link.peer() + ": " + e.getMessage(), e));
        }
    }

    private void write() throws IOException {
        List<MessageBuffer> finished = List.of();
        synchronized (this) {
            boolean isBlocked = false;
            while (!queue.isEmpty() && !isBlocked && !link.isClosed()) {
                int count = gather();
                long wanted = 0;
                for (int i = 0; i < count; i++) {
                    wanted += gathered[i].remaining();
                }
                long written = count == 1 ? channel.write(gathered[0]) : channel.write(gathered, 0, count);
                isBlocked = written < wanted;
                if (written > 0) {
                    movedNanos = System.nanoTime();
                    queuedBytes -= written;
                    parts.counters().bytesSent.add(written);
                    finished = takeSent(finished);
                }
            }
            // Under the lock: out of order, the loop would be told of a socket that it can write to and has nothing
            // for.
            if (isBlocked != blocked) {
                blocked = isBlocked;
                link.interest(SelectionKey.OP_WRITE, isBlocked);
            }
        }
        if (!finished.isEmpty()) {
            finished.forEach(message -> message.finish(null));
        }
        link.closeIfSent();
    }

    private int gather() {
        if (queue.size() == 1) {
            // The usual case, without an iterator on the heap.
            gathered[0] = queue.element().frame();
            return 1;
        }
        int count = 0;
        for (MessageBuffer message : queue) {
            if (count == GATHERED) {
                break;
            }
            gathered[count++] = message.frame();
        }
        return count;
    }

    /** Completions run without the lock; messages without one, which are nearly all, need no list. */
    private List<MessageBuffer> takeSent(List<MessageBuffer> finished) {
        List<MessageBuffer> list = finished;
        for (MessageBuffer first = queue.peek(); first != null && !first.frame().hasRemaining(); first = queue.peek()) {
            queue.remove();
            parts.counters().messagesSent.increment();
            if (!first.hasCompletion()) {
                first.release();
            } else {
                list = list.isEmpty() ? new ArrayList<>() : list;
                list.add(first);
            }
        }
        return list;
    }

    /** After the link has closed. */
    void fail(TransportException failure) {
        ArrayDeque<MessageBuffer> failed;
        synchronized (this) {
            failed = new ArrayDeque<>(queue);
            queue.clear();
            queuedBytes = 0;
        }
        failed.forEach(message -> message.finish(failure));
    }
}
