package org.berth.mapreduce.programs.shared;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** Jobs that a program runs one after the other. */
public final class Steps {
    private Steps() {}

    /**
     * A job with a copy of that configuration.
     *
     * @param program a class of the jar
     */
    public static Job job(Configuration conf, String name, Class<?> program) throws IOException {
        Job job = Job.getInstance(conf, name);
        job.setJarByClass(program);
        return job;
    }

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
