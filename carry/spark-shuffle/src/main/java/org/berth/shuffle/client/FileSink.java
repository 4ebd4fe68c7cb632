package org.berth.shuffle.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.DownloadFile;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.DownloadFileWritableChannel;
import org.apache.spark.network.util.TransportConf;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes blocks to temporary files, when Spark asks for it because they are large. One thread writes, so that progress threads
 * never wait for a disk and parts stay in order; while it is behind, the transport runs out of buffers and the peer waits.
 */
final class FileSink implements BlockSink {
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);

    /** A file that is being written. */
    private record OpenFile(DownloadFile file, DownloadFileWritableChannel channel) {}

    private final Executor disk;
    private final DownloadFileManager files;
    private final TransportConf conf;
    private final BlockFetchingListener listener;
    private final Consumer<String> retry;
    /** Seen by the disk's thread only, like the next one. */
    private @Nullable OpenFile open;

    private boolean failed;

    /**
     * Makes a sink for one request.
     *
     * @param disk runs one task at a time
     * @param retry takes the name of a block that could not be written
     */
    FileSink(
            Executor disk,
            DownloadFileManager files,
            TransportConf conf,
            BlockFetchingListener listener,
            Consumer<String> retry) {
        this.disk = disk;
        this.files = files;
        this.conf = conf;
        this.listener = listener;
        this.retry = retry;
    }

    @Override
    public boolean isSlow() {
        return true;
    }

    @Override
    public void take(String name, Part part, boolean isLast) {
        try {
            disk.execute(() -> write(name, part, isLast));
        } catch (RejectedExecutionException executorEnds) {
            part.release();
            throw executorEnds;
        }
    }

    @Override
    public void discard() {
        try {
            disk.execute(this::delete);
        } catch (RejectedExecutionException executorEnds) {
            // Spark deletes the executor's folders.
        }
    }

    private void write(String name, Part part, boolean isLast) {
        try {
            if (!failed) {
                write(part.bytes());
            }
            if (isLast && !failed) {
                finish(name);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("Berth: cannot write block {} to a file: {}; Spark's own client fetches it", name, e.toString());
            failed = true;
            delete();
        } finally {
            part.release();
        }
        if (isLast && failed) {
            failed = false;
            retry.accept(name);
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        OpenFile to = open;
        if (to == null) {
            DownloadFile file = files.createTempFile(conf);
            to = new OpenFile(file, file.openForWriting());
            open = to;
        }
        while (bytes.hasRemaining()) {
            to.channel.write(bytes);
        }
    }

    private void finish(String name) throws IOException {
        OpenFile whole = open;
        if (whole == null) {
            throw new IOException("no file is open");
        }
        ManagedBuffer block = whole.channel.closeAndRead();
        open = null;
        listener.onBlockFetchSuccess(name, block);
        if (!files.registerTempFileToClean(whole.file)) {
            // The task has ended meanwhile.
            delete(whole.file);
        }
    }

    private void delete() {
        OpenFile partial = open;
        open = null;
        if (partial != null) {
            try {
                partial.channel.close();
            } catch (IOException deletedNow) {
                // Its content does not matter.
            }
            delete(partial.file);
        }
    }

    private static void delete(DownloadFile file) {
        if (!file.delete()) {
            LOG.warn("Berth: cannot delete the temporary file {}", file.path());
        }
    }
}
