package org.apache.hadoop.mapred;

import java.io.IOException;
import org.jspecify.annotations.NullMarked;

/** What Hadoop's own job runner does with members that only its package sees. */
@NullMarked
public final class BerthAccess {
    private BerthAccess() {}

    /** Ends the thread that reports the progress of a task; a task that fails leaves it running. */
    public static void endReports(Task task) {
        task.setTaskDone();
    }

    /** Returns an empty status to be read into. */
    public static TaskStatus newStatus(boolean map) {
        return map ? new MapTaskStatus() : new ReduceTaskStatus();
    }

    /** The distributed cache of a job on this host; closing it removes the files. */
    public static final class LocalCache implements AutoCloseable {
        private final LocalDistributedCacheManager manager = new LocalDistributedCacheManager();

        /** Brings files and archives of the job here, and names them in its configuration. */
        public void setUp(JobConf conf, JobID id) throws IOException {
            manager.setup(conf, id);
        }

        @Override
        public void close() throws IOException {
            manager.close();
        }
    }
}
