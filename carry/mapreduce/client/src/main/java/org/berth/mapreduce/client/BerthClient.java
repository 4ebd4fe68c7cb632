package org.berth.mapreduce.client;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.mapreduce.Cluster.JobTrackerStatus;
import org.apache.hadoop.mapreduce.ClusterMetrics;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.QueueAclsInfo;
import org.apache.hadoop.mapreduce.QueueInfo;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskTrackerInfo;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.mapreduce.v2.LogParams;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** The engine as Hadoop's client sees it. The drivers do the work. */
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
final class BerthClient implements ClientProtocol {
    /** Distinguishes the jobs of several JVMs on one host, whose folders are side by side. */
    private static final String RUN =
            "berth" + Long.toUnsignedString(ThreadLocalRandom.current().nextLong() >>> 24, 36);

    private static final JobTable JOBS = new JobTable();

    private final Configuration conf;
    private final Engine engine;
    private final FileSystem staging;

    BerthClient(Configuration conf) throws IOException {
        this.conf = conf;
        this.engine = Engines.of(conf);
        this.staging = engine.stagingFileSystem(conf);
    }

    @Override
    public JobID getNewJobID() {
        engine.expectJob(conf);
        return JOBS.newId(RUN);
    }

    @Override
    public JobStatus submitJob(JobID id, String submitDir, Credentials credentials) throws IOException {
        BerthJob job = new BerthJob(org.apache.hadoop.mapred.JobID.downgrade(id), submitDir, credentials, JOBS);
        JOBS.add(job);
        job.start();
        return job.status();
    }

    @Override
    public void killJob(JobID id) {
        BerthJob job = JOBS.running(id.toString());
        if (job != null) {
            job.kill();
        }
    }

    @Override
    public boolean killTask(TaskAttemptID id, boolean fail) {
        BerthJob job = JOBS.running(id.getJobID().toString());
        return job != null
                && job.stop(
                        org.apache.hadoop.mapred.TaskAttemptID.downgrade(id),
                        id + " was " + (fail ? "failed" : "killed") + " by the user");
    }

    @Override
    public @Nullable JobStatus getJobStatus(JobID id) throws IOException {
        JobTable.Entry job = JOBS.find(RUN, id);
        return job == null ? null : job.status();
    }

    @Override
    public Counters getJobCounters(JobID id) throws IOException {
        JobTable.Entry job = JOBS.find(RUN, id);
        return job == null ? new Counters() : new Counters(job.book().counters());
    }

    @Override
    public TaskReport[] getTaskReports(JobID id, TaskType type) throws IOException {
        JobTable.Entry job = JOBS.find(RUN, id);
        return job == null ? new TaskReport[0] : job.book().reports(type);
    }

    @Override
    public TaskCompletionEvent[] getTaskCompletionEvents(JobID id, int from, int maximum) throws IOException {
        JobTable.Entry job = JOBS.find(RUN, id);
        return job == null ? TaskCompletionEvent.EMPTY_ARRAY : job.book().events(from, maximum);
    }

    @Override
    public String[] getTaskDiagnostics(TaskAttemptID id) throws IOException {
        JobTable.Entry job = JOBS.find(RUN, id.getJobID());
        return job == null ? new String[0] : job.book().diagnostics(id);
    }

    @Override
    public JobStatus[] getAllJobs() {
        return JOBS.all();
    }

    @Override
    public void setJobPriority(JobID id, String priority) {
        throw new UnsupportedOperationException("jobs of this engine have no priority: they take turns");
    }

    @Override
    public ClusterMetrics getClusterMetrics() {
        int slots = engine.slots(conf);
        return new ClusterMetrics(0, 0, 0, 0, 0, 0, slots, slots, JOBS.runningJobs(), 1, 0, 0);
    }

    @Override
    public JobTrackerStatus getJobTrackerStatus() {
        return JobTrackerStatus.RUNNING;
    }

    @Override
    public long getTaskTrackerExpiryInterval() {
        return 0;
    }

    @Override
    public AccessControlList getQueueAdmins(String queue) {
        return new AccessControlList(" ");
    }

    @Override
    public String getFilesystemName() {
        return staging.getUri().toString();
    }

    @Override
    public TaskTrackerInfo[] getActiveTrackers() {
        return new TaskTrackerInfo[0];
    }

    @Override
    public TaskTrackerInfo[] getBlacklistedTrackers() {
        return new TaskTrackerInfo[0];
    }

    @Override
    public String getSystemDir() {
        return staging.makeQualified(new Path(temporary(), "mapred/system")).toString();
    }

    @Override
    public String getStagingAreaDir() throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return staging.makeQualified(new Path(temporary(), "mapred/staging/" + user + "-" + RUN + "/.staging"))
                .toString();
    }

    private String temporary() {
        return conf.get("hadoop.tmp.dir", System.getProperty("java.io.tmpdir"));
    }

    @Override
    public @Nullable String getJobHistoryDir() {
        return null;
    }

    @Override
    public QueueInfo[] getQueues() {
        return new QueueInfo[0];
    }

    @Override
    public @Nullable QueueInfo getQueue(String name) {
        return null;
    }

    @Override
    public QueueAclsInfo[] getQueueAclsForCurrentUser() {
        return new QueueAclsInfo[0];
    }

    @Override
    public QueueInfo[] getRootQueues() {
        return new QueueInfo[0];
    }

    @Override
    public QueueInfo[] getChildQueues(String name) {
        return new QueueInfo[0];
    }

    @Override
    public @Nullable Token<DelegationTokenIdentifier> getDelegationToken(Text renewer) {
        return null;
    }

    @Override
    public long renewDelegationToken(Token<DelegationTokenIdentifier> token) {
        return 0;
    }

    @Override
    public void cancelDelegationToken(Token<DelegationTokenIdentifier> token) {}

    @Override
    public LogParams getLogFileParams(JobID id, TaskAttemptID attempt) {
        throw new UnsupportedOperationException("tasks of this engine log to the log of the client");
    }

    @Override
    public long getProtocolVersion(String protocol, long version) {
        return versionID;
    }

    @Override
    public ProtocolSignature getProtocolSignature(String protocol, long version, int hash) {
        return new ProtocolSignature(versionID, null);
    }
}
