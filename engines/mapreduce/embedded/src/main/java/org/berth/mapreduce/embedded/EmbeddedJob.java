package org.berth.mapreduce.embedded;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.BerthAccess;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobContext;
import org.apache.hadoop.mapred.JobContextImpl;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.StringUtils;
import org.berth.mapreduce.runtime.BerthMapTask;
import org.berth.mapreduce.runtime.BerthReduceTask;
import org.berth.mapreduce.runtime.MapOutput;
import org.berth.mapreduce.runtime.MapOutputs;
import org.berth.mapreduce.runtime.SpillFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job: set-up, maps, reduces, commit or abort. Its thread waits; the work is done by the worker threads. */
final class EmbeddedJob {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedJob.class);
    private static final String KILLED = "the job was killed";

    /** Before Hadoop closes its file systems at the end of the JVM, which has priority 10. */
    private static final int SHUTDOWN_PRIORITY = 50;

    private final JobID id;
    private final Path submitDir;
    private final JobConf conf;
    private final Configuration spillConf;
    private final UserGroupInformation user;
    private final BerthAccess.LocalCache cache = new BerthAccess.LocalCache();
    private final ClassLoader classLoader;
    private final WorkerPool pool;
    private final Umbilical umbilical = new Umbilical(this);
    private final TaskBook book;
    private final Thread thread;
    private final long start = System.currentTimeMillis();
    private TaskSplitMetaInfo[] splits = new TaskSplitMetaInfo[0];
    private MapOutputs outputs = new MapOutputs(0);
    private volatile @Nullable Phase maps;
    private volatile @Nullable Phase reduces;
    private volatile boolean killed;
    private volatile boolean setUp;
    private volatile JobStatus.State state = JobStatus.State.RUNNING;
    private volatile long finish;
    private volatile String failure = "";

    EmbeddedJob(JobID id, String submitDir, Credentials credentials) throws IOException {
        this.id = id;
        this.submitDir = new Path(submitDir);
        this.conf = new JobConf(new Path(this.submitDir, "job.xml"));
        conf.setCredentials(credentials);
        EngineSettings settings = EngineSettings.of(conf);
        EngineSettings.unknown(conf).forEach(LOG::warn);
        NotHonoured.warnings(conf).forEach(LOG::warn);
        this.user = UserGroupInformation.getCurrentUser();
        cache.setUp(conf, id);
        plainPaths(conf, MRJobConfig.CACHE_LOCALFILES);
        plainPaths(conf, MRJobConfig.CACHE_LOCALARCHIVES);
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        this.classLoader = cache.classLoader(parent == null ? EmbeddedJob.class.getClassLoader() : parent);
        conf.setClassLoader(classLoader);
        this.spillConf = new Configuration(conf);
        spillConf.setStrings(SpillFile.DIRS, localDirs("spill"));
        this.pool = WorkerPool.of(settings);
        this.book = new TaskBook(id);
        this.thread = new Thread(this::run, "berth-job-" + id);
        thread.setContextClassLoader(classLoader);
    }

    /** Programs expect plain paths here; the local runner's URIs break those that open them with java.io. */
    private static void plainPaths(JobConf conf, String key) {
        String[] paths = conf.getStrings(key);
        if (paths != null) {
            conf.setStrings(
                    key,
                    Arrays.stream(paths)
                            .map(path -> new Path(path).toUri().getPath())
                            .toArray(String[]::new));
        }
    }

    void start() {
        thread.start();
    }

    JobID id() {
        return id;
    }

    JobConf conf() {
        return conf;
    }

    UserGroupInformation user() {
        return user;
    }

    ClassLoader classLoader() {
        return classLoader;
    }

    WorkerPool pool() {
        return pool;
    }

    Umbilical umbilical() {
        return umbilical;
    }

    /** A folder of this job in each of {@code mapreduce.cluster.local.dir}; they are made when they are needed. */
    String[] localDirs(String name) {
        String[] roots = conf.getTrimmedStrings("mapreduce.cluster.local.dir", "/tmp/hadoop/mapred/local");
        return Arrays.stream(roots)
                .map(root -> root + "/berth/" + user.getShortUserName() + "/" + id + "/" + name)
                .toArray(String[]::new);
    }

    BerthMapTask mapTask(Attempt attempt) {
        return new BerthMapTask(
                new Path(submitDir, "job.xml").toString(),
                attempt.id(),
                attempt.index(),
                splits[attempt.index()].getSplitIndex(),
                pool.buffers(),
                spillConf);
    }

    BerthReduceTask reduceTask(Attempt attempt) {
        return new BerthReduceTask(
                new Path(submitDir, "job.xml").toString(),
                attempt.id(),
                attempt.index(),
                splits.length,
                outputs,
                spillConf);
    }

    private void run() {
        Runnable atExit = this::killAndWait;
        ShutdownHookManager hooks = ShutdownHookManager.get();
        try {
            hooks.addShutdownHook(atExit, SHUTDOWN_PRIORITY);
        } catch (IllegalStateException e) {
            killed = true;
        }
        JobStatus.State end = JobStatus.State.FAILED;
        try {
            end = user.doAs((PrivilegedExceptionAction<JobStatus.State>) this::runAsUser);
        } catch (Throwable e) {
            failure = StringUtils.stringifyException(unwrapped(e));
        } finally {
            outputs.release();
            try {
                cleanUp();
            } catch (IOException | RuntimeException e) {
                LOG.warn("cannot remove the temporary files of {}: {}", id, e.toString());
            }
            finish = System.currentTimeMillis();
            state = end;
            try {
                hooks.removeShutdownHook(atExit);
            } catch (IllegalStateException e) {
                LOG.debug("the JVM ends", e);
            }
        }
    }

    private JobStatus.State runAsUser() throws Exception {
        JobContext context = new JobContextImpl(conf, id);
        OutputCommitter committer = Committers.of(conf, id);
        JobStatus.State end = JobStatus.State.FAILED;
        try {
            splits =
                    SplitMetaInfoReader.readSplitMetaInfo(id, FileSystem.get(submitDir.toUri(), conf), conf, submitDir);
            int partitions = conf.getNumReduceTasks();
            book.expect(splits.length, partitions);
            outputs = new MapOutputs(splits.length);
            committer.setupJob(context);
            setUp = true;
            String why = phase(true, splits.length, conf.getMaxMapAttempts(), conf.getMaxMapTaskFailuresPercent());
            if (why == null && !killed) {
                why = phase(false, partitions, conf.getMaxReduceAttempts(), conf.getMaxReduceTaskFailuresPercent());
            }
            if (why == null && !killed) {
                committer.commitJob(context);
                end = JobStatus.State.SUCCEEDED;
            } else {
                end = killed ? JobStatus.State.KILLED : JobStatus.State.FAILED;
                failure = killed ? KILLED : Objects.requireNonNullElse(why, "");
            }
        } catch (Throwable e) {
            failure = StringUtils.stringifyException(e);
            LOG.warn("{} failed", id, e);
        }
        if (end != JobStatus.State.SUCCEEDED) {
            Thread.interrupted();
            try {
                committer.abortJob(context, end);
            } catch (IOException | RuntimeException e) {
                LOG.warn("cannot abort the output of {}: {}", id, e.toString());
            }
        }
        return end;
    }

    private @Nullable String phase(boolean map, int tasks, int attempts, int tolerated) throws InterruptedException {
        Phase phase = new Phase(this, map, tasks, attempts, tolerated);
        if (map) {
            maps = phase;
        } else {
            reduces = phase;
        }
        phase.start();
        if (killed) {
            phase.stop(KILLED);
        }
        return phase.await(
                conf.getLong(MRJobConfig.TASK_TIMEOUT, MRJobConfig.DEFAULT_TASK_TIMEOUT_MILLIS),
                conf.getLong("mapreduce.task.exit.timeout", 60_000));
    }

    private void cleanUp() throws IOException {
        FileSystem local = FileSystem.getLocal(conf);
        for (String dir : localDirs("")) {
            local.delete(new Path(dir), true);
        }
        submitDir.getFileSystem(conf).delete(submitDir, true);
        cache.close();
    }

    /** Called once for each attempt, by its thread or by the job's when the former is stuck. */
    void ended(Attempt attempt, @Nullable MapOutput output, @Nullable Throwable error, @Nullable String stopped) {
        Phase phase = attempt.isMap() ? maps : reduces;
        if (phase == null) {
            return;
        }
        if (error == null && stopped == null) {
            if (output != null) {
                outputs.put(attempt.index(), output);
            }
            if (!attempt.isMap()) {
                outputs.release(attempt.index());
            }
            book.succeeded(attempt.id());
            phase.succeeded(attempt);
            return;
        }
        if (output != null) {
            output.release();
        }
        String why = stopped != null ? stopped : StringUtils.stringifyException(unwrapped(error));
        boolean wasStopped = phase.isStopped();
        if (!wasStopped) {
            LOG.warn("{} failed: {}", attempt.id(), why);
        }
        boolean last = phase.failed(attempt, why);
        book.failed(attempt.id(), why, last, wasStopped);
    }

    private static Throwable unwrapped(@Nullable Throwable error) {
        Throwable cause = error instanceof UndeclaredThrowableException ? error.getCause() : error;
        return cause == null ? new IllegalStateException("a task ended without a reason", error) : cause;
    }

    void report(TaskAttemptID attempt, TaskStatus status) {
        book.report(attempt, status);
        Phase phase = attempt.getTaskType() == TaskType.MAP ? maps : reduces;
        if (phase != null) {
            phase.progressed(attempt);
        }
    }

    boolean stop(TaskAttemptID attempt, String why) {
        Phase phase = attempt.getTaskType() == TaskType.MAP ? maps : reduces;
        return phase != null && phase.stop(attempt, why);
    }

    void kill() {
        killed = true;
        for (Phase phase : new Phase[] {maps, reduces}) {
            if (phase != null) {
                phase.stop(KILLED);
            }
        }
    }

    private void killAndWait() {
        kill();
        try {
            thread.join(20_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    JobStatus status() {
        JobStatus.State now = state;
        boolean complete = now == JobStatus.State.SUCCEEDED;
        return new JobReport(
                id,
                setUp ? 1f : 0f,
                complete ? 1f : book.progress(TaskType.MAP),
                complete ? 1f : book.progress(TaskType.REDUCE),
                finish == 0 ? 0f : 1f,
                now,
                user.getShortUserName(),
                conf.getJobName(),
                new Path(submitDir, "job.xml").toString(),
                start,
                finish,
                failure);
    }

    Counters counters() {
        return book.counters();
    }

    TaskReport[] taskReports(TaskType type) {
        return book.reports(type);
    }

    TaskCompletionEvent[] events(int from, int maximum) {
        return book.events(from, maximum);
    }

    String[] diagnostics(org.apache.hadoop.mapreduce.TaskAttemptID attempt) {
        return book.diagnostics(attempt);
    }
}
