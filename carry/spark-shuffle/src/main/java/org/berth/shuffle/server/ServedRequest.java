package org.berth.shuffle.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.berth.shuffle.client.Part;
import org.berth.shuffle.shared.BlockNumbers;
import org.berth.shuffle.shared.Messages;
import org.jspecify.annotations.Nullable;

/**
 * A request that is being served: cuts its blocks into messages, small blocks together and large ones in parts. For one thread
 * at a time.
 */
final class ServedRequest implements AutoCloseable {
    /** A part for the message that is prepared. */
    private record Part(Messages.Segment segment, ManagedBuffer data) {
        boolean isLast() {
            return segment.offset() + segment.length() == segment.blockBytes();
        }
    }

    private final long number;
    private final List<BlockNumbers> wanted;
    private final BlockSource blocks;
    private final BlockFile file = new BlockFile();
    private final Deque<Part> parts = new ArrayDeque<>();
    private int next;
    private @Nullable ManagedBuffer current;
    private long sent;

    ServedRequest(long number, List<BlockNumbers> wanted, BlockSource blocks) {
        this.number = number;
        this.wanted = wanted;
        this.blocks = blocks;
    }

    long number() {
        return number;
    }

    boolean isDone() {
        return next == wanted.size() && parts.isEmpty();
    }

    /** Gives up what is left. */
    void finish() {
        for (Part part = parts.poll(); part != null; part = parts.poll()) {
            if (part.isLast()) {
                part.data.release();
            }
        }
        ManagedBuffer open = current;
        current = null;
        if (open != null) {
            open.release();
        }
        next = wanted.size();
    }

    /**
     * Chooses what the next message has, and returns its size. What was chosen stays so until {@link #write}.
     *
     * @throws IOException when the next block is not there; those before it have been written
     */
    int prepare(int largestBytes) throws IOException {
        int size = Messages.HEADER_BYTES;
        for (Part part : parts) {
            size += Messages.Segment.BYTES + part.segment.length();
        }
        while (parts.isEmpty() || next < wanted.size()) {
            int room = largestBytes - size - Messages.Segment.BYTES;
            if (next == wanted.size() || room <= 0) {
                break;
            }
            ManagedBuffer data = current;
            if (data == null) {
                try {
                    data = open(wanted.get(next));
                } catch (IOException | RuntimeException e) {
                    if (parts.isEmpty()) {
                        throw e;
                    }
                    break;
                }
                current = data;
            }
            long left = data.size() - sent;
            if (left > room && !parts.isEmpty() && data.size() <= largestBytes / 2) {
                // A small block is not worth two messages.
                break;
            }
            int length = (int) Math.min(left, room);
            parts.add(new Part(new Messages.Segment(next, data.size(), sent, length), data));
            size += Messages.Segment.BYTES + length;
            sent += length;
            if (sent < data.size()) {
                break;
            }
            next++;
            sent = 0;
            current = null;
        }
        return size;
    }

    private ManagedBuffer open(BlockNumbers block) throws IOException {
        try {
            return blocks.open(block);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** Writes what was prepared, and returns how many blocks end with it. */
    int write(ByteBuffer to) throws IOException {
        int ended = 0;
        to.put(Messages.DATA).putLong(number);
        for (Part part = parts.peek(); part != null; part = parts.peek()) {
            Messages.Segment segment = part.segment;
            segment.write(to);
            ByteBuffer room = to.slice(to.position(), segment.length());
            file.read(part.data, segment.offset(), room);
            to.position(to.position() + segment.length());
            parts.poll();
            if (part.isLast()) {
                part.data.release();
                ended++;
            }
        }
        to.flip();
        return ended;
    }

    @Override
    public void close() {
        finish();
        file.close();
    }

    @Override
    public String toString() {
        return next < wanted.size() ? wanted.get(next).blockId().name() : "shuffle blocks";
    }
}
