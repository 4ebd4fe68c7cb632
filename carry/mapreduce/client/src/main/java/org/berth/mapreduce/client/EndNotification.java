package org.berth.mapreduce.client;

import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobEndNotifier;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.JobStatus;
import org.apache.hadoop.mapreduce.JobStatus.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The call of {@code mapreduce.job.end-notification.url}, by Hadoop's own class, with its retries. */
final class EndNotification {
    private static final Logger LOG = LoggerFactory.getLogger(EndNotification.class);

    private EndNotification() {}

    static void send(JobConf conf, JobID id, State end) {
        String url = conf.getJobEndNotificationURI();
        if (url == null) {
            return;
        }
        try {
            JobEndNotifier.localRunnerNotification(
                    conf, new JobStatus(id, 1f, 1f, 1f, end.getValue(), conf.getUser(), conf.getJobName(), "", ""));
        } catch (RuntimeException | LinkageError e) {
            LOG.warn(
                    "cannot call mapreduce.job.end-notification.url={} for {}: {}; check the URL, and that httpclient is on the"
                            + " class path",
                    url,
                    id,
                    e.toString());
        }
    }
}
