package org.berth.shuffle.client;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.berth.shuffle.shared.Messages;

/** A request on its way: which of its blocks have arrived, and what becomes of the others. For one thread at a time. */
public final class Fetch {
    private final List<String> names;
    private final BlockSink sink;
    private final Consumer<List<String>> retry;
    private int next;
    private long offset;

    /**
     * Begins with no block.
     *
     * @param names of the blocks, in the order in which the server sends them
     * @param retry takes the names of the blocks that did not come
     */
    public Fetch(List<String> names, BlockSink sink, Consumer<List<String>> retry) {
        this.names = names;
        this.sink = sink;
        this.retry = retry;
    }

    boolean isSlow() {
        return sink.isSlow();
    }

    boolean isWhole() {
        return next == names.size();
    }

    /**
     * Takes the part that a segment announces; returns true when a block is whole.
     *
     * @throws IOException when another part was due; the part is released
     */
    boolean take(Messages.Segment segment, Part part) throws IOException {
        long end = segment.offset() + segment.length();
        boolean isLast = end == segment.blockBytes();
        boolean isDue = next < names.size()
                && segment.block() == next
                && segment.offset() == offset
                && end <= segment.blockBytes()
                && (isLast || segment.length() > 0);
        if (!isDue) {
            part.release();
            throw new IOException(segment + " received, byte " + offset + " of block " + next + " expected");
        }
        sink.take(names.get(next), part, isLast);
        offset = isLast ? 0 : end;
        next += isLast ? 1 : 0;
        return isLast;
    }

    /** Leaves the rest to Spark's own client, and returns how many blocks that are. */
    int giveUp() {
        sink.discard();
        List<String> rest = List.copyOf(names.subList(next, names.size()));
        retry.accept(rest);
        return rest.size();
    }
}
