package org.berth.mapreduce.programs.duplicates;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.berth.mapreduce.programs.reads.Fragment;

/** Fragments in a local file, in the order in which they came. */
final class WaitingFragments implements Closeable {
    private static final String FOLDERS = "mapreduce.cluster.local.dir";
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final DataOutputStream out;
    private long count;

    WaitingFragments(Configuration conf, String name) throws IOException {
        file = Path.of(new LocalDirAllocator(FOLDERS)
                .getLocalPathForWrite(name, conf)
                .toUri()
                .getPath());
        out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
    }

    void add(Fragment fragment) throws IOException {
        fragment.write(out);
        count++;
    }

    long count() {
        return count;
    }

    /** Ends the writing. */
    DataInputStream read() throws IOException {
        out.close();
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
    }

    /** Removes the file. */
    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
