package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Function;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.berth.mapreduce.embedded.cache.HdfsOutput;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A stream as {@link DistributedFileSystem} returns it, whose bytes go to the cache, too. */
@NullMarked
final class BerthDfsOutputStream extends HdfsDataOutputStream {
    private final HdfsOutput copied;

    /** @param copy puts the copy in front of the stream that counts the position */
    BerthDfsOutputStream(DFSOutputStream out, @Nullable Statistics statistics, Function<OutputStream, HdfsOutput> copy)
            throws IOException {
        super(out, statistics);
        this.copied = copy.apply(this.out);
        this.out = copied;
    }

    /** Hadoop's own asks the stream that is behind the copy now. */
    @Override
    public long getPos() {
        return copied.position();
    }
}
