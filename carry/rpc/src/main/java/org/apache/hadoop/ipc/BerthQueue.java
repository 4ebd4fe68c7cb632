package org.apache.hadoop.ipc;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.CallQueueManager.CallQueueOverflowException;
import org.apache.hadoop.ipc.ProcessingDetails.Timing;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Puts calls into a server's queue without waiting. Hadoop's readers wait while the queue is full; the transport's threads
 * serve all clients and may not. So calls wait here then, each with the memory of its request, until the transport has no
 * more of it and stops reading. Thread-safe.
 */
@NullMarked
final class BerthQueue {
    private final RPC.Server server;
    private final BlockingQueue<BerthCall> waiting = new LinkedBlockingQueue<>();
    private @Nullable Thread thread;
    private volatile boolean closed;

    BerthQueue(RPC.Server server) {
        this.server = server;
    }

    /**
     * Queues a call, now or later.
     *
     * @throws RpcServerException when the server asks its clients to back off
     */
    void add(BerthCall call) throws IOException {
        CallQueueManager<Server.Call> calls = server.getCallQueue();
        if (calls.isClientBackoffEnabled()) {
            addOrBackOff(calls, call);
        } else if (waiting.isEmpty() && calls.offer(call)) {
            queued(call);
        } else {
            addLater(call);
        }
    }

    /** With back-off, put() never waits. */
    private void addOrBackOff(CallQueueManager<Server.Call> calls, BerthCall call) throws IOException {
        try {
            calls.put(call);
            queued(call);
        } catch (CallQueueOverflowException e) {
            server.rpcMetrics.incrClientBackoff();
            IOException cause = e.getCause();
            if (cause instanceof RpcServerException refused && refused.getRpcStatusProto() == RpcStatusProto.FATAL) {
                server.rpcMetrics.incrClientBackoffDisconnected();
            }
            throw cause;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a call was queued", e);
        }
    }

    private static void queued(BerthCall call) {
        call.getProcessingDetails()
                .set(Timing.ENQUEUE, Time.monotonicNowNanos() - call.getTimestampNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized void addLater(BerthCall call) {
        if (closed) {
            call.discard();
            return;
        }
        if (thread == null) {
            Thread mover = new Thread(this::move, "berth-rpc-queue-" + server.getPort());
            mover.setDaemon(true);
            // Where no more threads can be had, the next call tries again, and this one is refused.
            mover.start();
            thread = mover;
        }
        waiting.add(call);
    }

    /** Until close(), whatever the queue or a call throws: all later calls wait for this thread. */
    private void move() {
        while (!closed) {
            try {
                moveOne();
            } catch (Throwable e) {
                // Of the log itself.
            }
        }
    }

    private void moveOne() {
        BerthCall call = null;
        try {
            call = waiting.take();
            server.getCallQueue().put(call);
            BerthCall moved = call;
            // From here on it is a handler's.
            call = null;
            queued(moved);
        } catch (CallQueueOverflowException backOffWasSwitchedOn) {
            IOException cause = backOffWasSwitchedOn.getCause();
            refuse(call, cause == null ? backOffWasSwitchedOn : cause);
        } catch (Throwable e) {
            // Interrupted by close(), or by the queue itself.
            refuse(call, e);
        }
    }

    /** The calls behind it go on. */
    private static void refuse(@Nullable BerthCall call, Throwable why) {
        if (call == null) {
            return;
        }
        try {
            try {
                call.discard();
            } finally {
                call.abortResponse(why);
            }
        } catch (Throwable e) {
            Server.LOG.warn("Berth: a call that waited for the queue is lost", e);
        }
    }

    /** Gives the memory of all requests back that no handler will see. */
    synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
        for (BerthCall call = waiting.poll(); call != null; call = waiting.poll()) {
            call.discard();
        }
        for (Server.Call call = server.getCallQueue().poll();
                call != null;
                call = server.getCallQueue().poll()) {
            if (call instanceof BerthCall own) {
                own.discard();
            }
        }
    }
}
