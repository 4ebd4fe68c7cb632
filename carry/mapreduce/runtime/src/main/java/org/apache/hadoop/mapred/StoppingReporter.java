package org.apache.hadoop.mapred;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.jspecify.annotations.NullMarked;

/**
 * The reporter of a task that was told to end and never waits: an interrupt does not reach it, so it fails at its next record. Hadoop
 * reports progress between records.
 */
@NullMarked
final class StoppingReporter extends Task.TaskReporter {
    private final Task task;
    private final BerthUmbilical umbilical;
    private final ReportPace pace = new ReportPace();

    private StoppingReporter(Task task, BerthUmbilical umbilical) {
        task.super(task.getProgress(), umbilical);
        this.task = task;
        this.umbilical = umbilical;
    }

    /** Returns a reporter whose thread has started. */
    static StoppingReporter start(Task task, TaskUmbilicalProtocol umbilical) {
        StoppingReporter reporter = new StoppingReporter(task, (BerthUmbilical) umbilical);
        reporter.startCommunicationThread();
        return reporter;
    }

    /** @throws IllegalStateException when the attempt was stopped or has failed */
    void requireNoFailure() {
        umbilical.requireNoFailure(task.getTaskID());
    }

    <T> T asEngine(PrivilegedExceptionAction<T> work) throws IOException, InterruptedException {
        return umbilical.asEngine(work);
    }

    @Override
    public void setProgress(float progress) {
        super.setProgress(progress);
        if (pace.isDue()) {
            requireNoFailure();
        }
    }
}
