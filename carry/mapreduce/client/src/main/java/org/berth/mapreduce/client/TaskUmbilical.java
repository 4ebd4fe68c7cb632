package org.berth.mapreduce.client;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.mapred.AMFeedback;
import org.apache.hadoop.mapred.BerthUmbilical;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.checkpoint.TaskCheckpointID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Hadoop's tasks report; a call in the same JVM. */
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
final class TaskUmbilical extends BerthUmbilical {
    private static final Logger LOG = LoggerFactory.getLogger(TaskUmbilical.class);

    private final TaskListener listener;
    private final TaskUsers.Lease users;

    TaskUmbilical(TaskListener listener, TaskUsers.Lease users) {
        this.listener = listener;
        this.users = users;
    }

    @Override
    public long getProtocolVersion(String protocol, long version) {
        return versionID;
    }

    @Override
    public ProtocolSignature getProtocolSignature(String protocol, long version, int hash) {
        return new ProtocolSignature(versionID, null);
    }

    @Override
    public AMFeedback statusUpdate(TaskAttemptID id, @Nullable TaskStatus status) {
        if (status != null) {
            listener.report(id, status);
        }
        AMFeedback feedback = new AMFeedback();
        // Hadoop's task would end the JVM if it were told that it is not known.
        feedback.setTaskFound(true);
        return feedback;
    }

    @Override
    public void reportDiagnosticInfo(TaskAttemptID id, String trace) {
        LOG.info("{}: {}", id, trace);
    }

    @Override
    public void done(TaskAttemptID id) {}

    @Override
    public void commitPending(TaskAttemptID id, TaskStatus status) {
        listener.report(id, status);
    }

    @Override
    public void requireNoFailure(TaskAttemptID id) {
        listener.requireNoFailure(id);
    }

    @Override
    public <T> T asEngine(PrivilegedExceptionAction<T> work) throws IOException, InterruptedException {
        return users.open(work);
    }

    @Override
    public boolean canCommit(TaskAttemptID id) {
        return listener.canCommit(id);
    }

    @Override
    public void shuffleError(TaskAttemptID id, String message) {
        LOG.error("{}: {}", id, message);
    }

    @Override
    public void fsError(TaskAttemptID id, String message) {
        LOG.error("{}: {}", id, message);
    }

    @Override
    public void fatalError(TaskAttemptID id, String message, boolean fastFail) {
        listener.fatal(id, message);
    }

    @Override
    public MapTaskCompletionEventsUpdate getMapCompletionEvents(JobID id, int from, int maximum, TaskAttemptID asker) {
        return new MapTaskCompletionEventsUpdate(TaskCompletionEvent.EMPTY_ARRAY, false);
    }

    @Override
    public void preempted(TaskAttemptID id, TaskStatus status) {}

    @Override
    public @Nullable TaskCheckpointID getCheckpointID(TaskID id) {
        return null;
    }

    @Override
    public void setCheckpointID(TaskID id, TaskCheckpointID checkpoint) {}
}
