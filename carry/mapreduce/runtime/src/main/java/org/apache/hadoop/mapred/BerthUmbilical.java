package org.apache.hadoop.mapred;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The calls of Hadoop's task protocol that name types of its package; none is of use for tasks in the same JVM. */
@NullMarked
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
public abstract class BerthUmbilical implements TaskUmbilicalProtocol {
    /**
     * For an attempt that is about to run code of the user.
     *
     * @throws IllegalStateException when it was stopped or has failed
     */
    public abstract void requireNoFailure(TaskAttemptID id);

    /** Opens a task's input or output, with the engine's file systems: code of the user may close those of the attempt. */
    public abstract <T> T asEngine(PrivilegedExceptionAction<T> work) throws IOException, InterruptedException;

    @Override
    public final @Nullable JvmTask getTask(JvmContext context) {
        return null;
    }

    @Override
    public final void reportNextRecordRange(TaskAttemptID id, SortedRanges.Range range) {}
}
