package org.berth.mapreduce.embedded.cache;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a file to HDFS, and keeps its blocks when it was closed and all of them have found room. */
public final class HdfsOutput extends FilterOutputStream implements FileScope.Kept {
    private static final Logger LOG = LoggerFactory.getLogger(HdfsOutput.class);

    private final FileScope scope;
    private final Written written;
    private @Nullable Blocks blocks;
    private long position;
    private boolean closed;

    /** Asks for what was written. */
    public interface Written {
        /** Returns the blocks of the closed file; none when its content may be another one. */
        List<HdfsBlock> blocks(long sizeBytes) throws IOException;
    }

    /** Keeps what goes to a stream to an empty file. */
    public HdfsOutput(OutputStream out, FileScope scope, Written written) {
        super(out);
        this.scope = scope;
        this.written = written;
        this.blocks = new Blocks(scope.job().cache());
        scope.opened(this);
    }

    /** Returns the number of bytes that were written. */
    public synchronized long position() {
        return position;
    }

    @Override
    public synchronized void abandon() {
        if (blocks != null) {
            blocks.release();
            blocks = null;
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] data, int offset, int length) throws IOException {
        out.write(data, offset, length);
        position += length;
        if (blocks != null && blocks.append(data, offset, length) < length) {
            abandon();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            out.close();
            keep();
        } finally {
            abandon();
            scope.closed(this);
        }
    }

    private void keep() {
        Blocks all = blocks;
        if (all == null || position == 0) {
            return;
        }
        List<HdfsBlock> found;
        try {
            found = written.blocks(position);
        } catch (IOException e) {
            LOG.warn("an output is not cached, because its NameNode does not tell its blocks: {}", e.toString());
            return;
        }
        // A block of another size, which a program has ended before it was full, would need its bytes moved.
        if (found.stream().allMatch(block -> block.startBytes() % BlockCache.BLOCK_BYTES == 0)) {
            adopt(all, found);
        }
    }

    private void adopt(Blocks all, List<HdfsBlock> found) {
        if (found.isEmpty()) {
            return;
        }
        all.trim();
        List<byte[]> pieces = all.take();
        for (HdfsBlock block : found) {
            int from = (int) (block.startBytes() / BlockCache.BLOCK_BYTES);
            int count = (int) ((block.sizeBytes() + BlockCache.BLOCK_BYTES - 1) / BlockCache.BLOCK_BYTES);
            scope.job().cache().adopt(block.key(), block.version(), pieces.subList(from, from + count));
        }
    }
}
