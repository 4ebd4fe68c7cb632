package org.berth.mapreduce.client;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** A driver that runs the tasks of jobs. {@code java.util.ServiceLoader} finds it; implementations are thread-safe. */
public interface Engine {
    /** Returns the value of {@code berth.mapreduce.engine} that chooses this driver. */
    String name();

    /** Returns the names of the properties {@code berth.mapreduce.…} that only this driver reads. */
    List<String> properties();

    /** Tells the driver that a client prepares a job with this configuration, so that it may start what takes time. */
    default void expectJob(Configuration conf) {}

    /**
     * Prepares a job whose configuration and distributed cache are ready.
     *
     * @throws IllegalArgumentException with one line, when a property has a wrong value
     */
    EngineJob prepare(BerthJob job) throws IOException;

    /** Returns the number of tasks that run at a time, for programs that derive their number of reduces from it. */
    int slots(Configuration conf);

    /** Returns the file system of the files that a client hands over at the submission; all tasks must be able to read it. */
    FileSystem stagingFileSystem(Configuration conf) throws IOException;
}
