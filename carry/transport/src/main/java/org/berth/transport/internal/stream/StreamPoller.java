package org.berth.transport.internal.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.LinkFailures;
import org.berth.transport.progress.Poller;
import org.jspecify.annotations.Nullable;

/** A selector and its channels. */
public final class StreamPoller implements Poller {
    /** What one read takes of a channel whose messages are small; larger ones are read to where they stay. */
    private static final int READ_AHEAD_BYTES = 64 * 1024;

    private static final int MOST_OWNERS = 1024;

    private final Selector selector;
    private final ByteBuffer readAhead = ByteBuffer.allocateDirect(READ_AHEAD_BYTES);
    private final Consumer<SelectionKey> dispatch = this::dispatch;
    /** Turns by owner, for owners that have had channels ready. */
    private final Map<Object, Turns> turns = new HashMap<>();

    private long pass;

    public StreamPoller() throws IOException {
        this.selector = Selector.open();
    }

    /** What a channel is registered with. */
    interface Attachment {
        /**
         * The owner of the channel: the channels of one owner have a part of each pass. Null: it is never passed over.
         */
        @Nullable
        Object owner();

        void ready(int operations);

        void tick(long nowNanos);

        void pollerClosed(@Nullable TransportException why);
    }

    SelectionKey register(SelectableChannel channel, int operations, Attachment attachment) throws IOException {
        return channel.register(selector, operations, attachment);
    }

    /** A buffer for the thread that drives; it must be empty again before the next channel's turn. */
    ByteBuffer readAhead() {
        return readAhead;
    }

    @Override
    public int poll(long timeoutNanos) throws IOException {
        pass++;
        if (turns.size() > MOST_OWNERS) {
            turns.clear();
        }
        if (timeoutNanos == 0) {
            return selector.selectNow(dispatch);
        }
        // At least 1: a timeout of 0 blocks without limit.
        return selector.select(dispatch, Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
    }

    private void dispatch(SelectionKey key) {
        Attachment attachment = (Attachment) key.attachment();
        Object owner = attachment.owner();
        if (owner == null) {
            ready(key, attachment);
            return;
        }
        Turns ofOwner = turns.get(owner);
        if (ofOwner == null) {
            ofOwner = new Turns();
            turns.put(owner, ofOwner);
        }
        // Who is passed over is ready in the next pass, too.
        if (ofOwner.hasOne(pass)) {
            long began = System.nanoTime();
            ready(key, attachment);
            ofOwner.took(System.nanoTime() - began);
        }
    }

    private static void ready(SelectionKey key, Attachment attachment) {
        try {
            attachment.ready(key.readyOps());
        } catch (CancelledKeyException closedMeanwhile) {
            // By another thread, which tells the receiver.
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void tick(long nowNanos) {
        for (SelectionKey key : selector.keys()) {
            if (key.isValid()) {
                LinkFailures.apart(
                        "the periodic check of a connection failed",
                        () -> ((Attachment) key.attachment()).tick(nowNanos));
            }
        }
    }

    @Override
    public void close(@Nullable TransportException why) {
        for (SelectionKey key : selector.keys()) {
            LinkFailures.apart("closing a connection failed", () -> ((Attachment) key.attachment()).pollerClosed(why));
        }
        try {
            selector.close();
        } catch (IOException nothingToDo) {
            // Its file descriptors go with the process.
        }
    }
}
