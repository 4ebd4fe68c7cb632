package org.berth.mapreduce.spark;

import org.berth.mapreduce.client.ExitGuard;
import org.berth.mapreduce.client.ExitRefused;
import org.jspecify.annotations.Nullable;

/**
 * The threads of an attempt: Spark's one, and those that it starts. Some of these live as long as the JVM, such as Hadoop's own; they
 * keep this object, and nothing of the job.
 */
final class AttemptThreads implements ExitGuard.Tasks {
    private volatile @Nullable TaskReports attempt;

    AttemptThreads(TaskReports attempt) {
        this.attempt = attempt;
    }

    @Override
    public void askToExit() {
        TaskReports running = attempt;
        throw running == null ? new ExitRefused("a thread that a task has left behind") : running.exits();
    }

    void end() {
        attempt = null;
    }
}
