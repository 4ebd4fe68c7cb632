package org.berth.mapreduce.client;

import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobPriority;
import org.apache.hadoop.mapreduce.JobStatus;

/** A state of a job, for its client. */
final class JobReport extends JobStatus {
    JobReport(
            JobID id,
            float setup,
            float map,
            float reduce,
            float cleanup,
            State state,
            String user,
            String name,
            String file,
            long start,
            long finish,
            String failure) {
        super(id, setup, map, reduce, cleanup, state, JobPriority.NORMAL, user, name, "default", file, "", false);
        setStartTime(start);
        setFinishTime(finish);
        setFailureInfo(failure);
    }
}
