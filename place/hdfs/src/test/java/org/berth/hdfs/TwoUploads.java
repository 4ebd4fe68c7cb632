package org.berth.hdfs;

import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Two clients that write three blocks each at the same time, and read back what the other one wrote. */
final class TwoUploads {
    /** Blocks that are open while it is looked. */
    static final int OPEN_BLOCKS = 2;

    private static final int BYTES = 20 << 20;

    /** What is done while the second block of each is open, and its threads wait for more of it. */
    interface Look {
        void atOpenBlocks() throws Exception;
    }

    private TwoUploads() {}

    static void run(Callable<DistributedFileSystem> connect, Look look) throws Exception {
        try (DistributedFileSystem one = connect.call();
                DistributedFileSystem other = connect.call()) {
            TestFile a = new TestFile("/upload-a", BYTES, 1);
            TestFile b = new TestFile("/upload-b", BYTES, 2);
            try (FSDataOutputStream outA = one.create(a.path());
                    FSDataOutputStream outB = other.create(b.path())) {
                a.write(outA, 0, BYTES / 2);
                b.write(outB, 0, BYTES / 2);
                look.atOpenBlocks();
                Thread writer = new Thread(() -> b.writeUnchecked(outB, BYTES / 2, b.size()));
                writer.start();
                a.write(outA, BYTES / 2, a.size());
                writer.join();
            }
            a.assertSameIn(other);
            b.assertSameIn(one);
        }
    }
}
