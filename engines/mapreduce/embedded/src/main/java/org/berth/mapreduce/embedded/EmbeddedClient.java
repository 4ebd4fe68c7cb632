package org.berth.mapreduce.embedded;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
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

/** The engine as Hadoop's client sees it. Jobs of all clients of this JVM share the worker threads. */
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
final class EmbeddedClient implements ClientProtocol {
    /** Distinguishes the jobs of several JVMs on one host, whose folders are side by side. */
    private static final String RUN =
            "berth" + Long.toUnsignedString(ThreadLocalRandom.current().nextLong() >>> 24, 36);

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    /** By the text of their names: the identifiers of the two APIs are never equal. */
    private static final Map<String, EmbeddedJob> JOBS = new ConcurrentHashMap<>();

    private final Configuration conf;
    private final FileSystem local;

    EmbeddedClient(Configuration conf) throws IOException {
        this.conf = conf;
        this.local = FileSystem.getLocal(conf);
    }

    @Override
    public JobID getNewJobID() {
        return new JobID(RUN, NUMBERS.incrementAndGet());
    }

    @Override
    public JobStatus submitJob(JobID id, String submitDir, Credentials credentials) throws IOException {
        EmbeddedJob job = new EmbeddedJob(org.apache.hadoop.mapred.JobID.downgrade(id), submitDir, credentials);
        JOBS.put(id.toString(), job);
        job.start();
        return job.status();
    }

    @Override
    public void killJob(JobID id) {
        EmbeddedJob job = JOBS.get(id.toString());
        if (job != null) {
            job.kill();
        }
    }

    @Override
    public boolean killTask(TaskAttemptID id, boolean fail) {
        EmbeddedJob job = JOBS.get(id.getJobID().toString());
        return job != null
                && job.stop(
                        org.apache.hadoop.mapred.TaskAttemptID.downgrade(id),
                        id + " was " + (fail ? "failed" : "killed") + " by the user");
    }

    @Override
    public @Nullable JobStatus getJobStatus(JobID id) {
        EmbeddedJob job = JOBS.get(id.toString());
        return job == null ? null : job.status();
    }

    @Override
    public Counters getJobCounters(JobID id) {
        EmbeddedJob job = JOBS.get(id.toString());
        return job == null ? new Counters() : new Counters(job.counters());
    }

    @Override
    public TaskReport[] getTaskReports(JobID id, TaskType type) {
        EmbeddedJob job = JOBS.get(id.toString());
        return job == null ? new TaskReport[0] : job.taskReports(type);
    }

    @Override
    public TaskCompletionEvent[] getTaskCompletionEvents(JobID id, int from, int maximum) {
        EmbeddedJob job = JOBS.get(id.toString());
        return job == null ? TaskCompletionEvent.EMPTY_ARRAY : job.events(from, maximum);
    }

    @Override
    public String[] getTaskDiagnostics(TaskAttemptID id) {
        EmbeddedJob job = JOBS.get(id.getJobID().toString());
        return job == null ? new String[0] : job.diagnostics(id);
    }

    @Override
    public JobStatus[] getAllJobs() {
        return JOBS.values().stream().map(EmbeddedJob::status).toArray(JobStatus[]::new);
    }

    @Override
    public void setJobPriority(JobID id, String priority) {
        throw new UnsupportedOperationException("jobs of this engine have no priority: they take turns");
    }

    @Override
    public ClusterMetrics getClusterMetrics() {
        int threads = EngineSettings.of(conf).threads();
        return new ClusterMetrics(0, 0, 0, 0, 0, 0, threads, threads, JOBS.size(), 1, 0, 0);
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
        return local.getUri().toString();
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
        return local.makeQualified(new Path(temporary(), "mapred/system")).toString();
    }

    @Override
    public String getStagingAreaDir() throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return local.makeQualified(new Path(temporary(), "mapred/staging/" + user + "-" + RUN + "/.staging"))
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
