package org.berth.shuffle.client;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.network.shuffle.BlockFetchingListener;

/** Keeps blocks in memory until Spark has read them. A server sends the blocks of a request one after the other. */
public final class MemorySink implements BlockSink {
    private final BlockFetchingListener listener;
    private List<Part> parts = new ArrayList<>();

    public MemorySink(BlockFetchingListener listener) {
        this.listener = listener;
    }

    @Override
    public boolean isSlow() {
        return false;
    }

    @Override
    public void take(String name, Part part, boolean isLast) {
        parts.add(part);
        if (isLast) {
            List<Part> whole = parts;
            parts = new ArrayList<>();
            long size = whole.stream().mapToLong(one -> one.bytes().remaining()).sum();
            ReceivedBlock block = new ReceivedBlock(whole, size);
            try {
                listener.onBlockFetchSuccess(name, block);
            } finally {
                block.release();
            }
        }
    }

    @Override
    public void discard() {
        parts.forEach(Part::release);
        parts.clear();
    }
}
