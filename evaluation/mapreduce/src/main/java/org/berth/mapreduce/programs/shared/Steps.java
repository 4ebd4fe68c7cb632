package org.berth.mapreduce.programs.shared;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Job;

/** Jobs that a program runs one after the other. */
public final class Steps {
    private Steps() {}

    /** Runs the job, and waits for its end; a job that fails ends the program. */
    public static void run(Job job)
            throws IOException, InterruptedException, ClassNotFoundException, JobFailedException {
        if (!job.waitForCompletion(false)) {
            String reason = job.getStatus().getFailureInfo();
            throw new JobFailedException("the job '" + job.getJobName() + "' failed"
                    + (reason == null || reason.isBlank()
                            ? "; the log above has the reason"
                            : ": " + reason.strip().lines().findFirst().orElse("")));
        }
    }
}
