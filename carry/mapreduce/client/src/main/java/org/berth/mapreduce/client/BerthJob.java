package org.berth.mapreduce.client;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobContext;
import org.apache.hadoop.mapred.JobContextImpl;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.StringUtils;
import org.berth.mapreduce.runtime.blocks.SpillFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job from its submission to its end: set-up, tasks, commit or abort. Its thread waits; a driver does the work. Thread-safe. */
public final class BerthJob {
    private static final Logger LOG = LoggerFactory.getLogger(BerthJob.class);
    private static final String KILLED = "the job was killed";

    /** Before Hadoop closes its file systems at the end of the JVM, which has priority 10. */
    private static final int SHUTDOWN_PRIORITY = 50;

    private final JobID id;
    private final Path submitDir;
    private final JobConf conf;
    private final Configuration spillConf;
    private final UserGroupInformation user;
    private final TaskUsers users;
    private final JobCache cache;
    private final JobClasses classes;
    private final EngineJob tasks;
    private final TaskBook book;
    private final JobTable table;
    private final int history;
    private final Thread thread;
    private final long start = System.currentTimeMillis();
    private volatile boolean killed;
    private volatile boolean setUp;
    private volatile JobStatus.State state = JobStatus.State.RUNNING;
    private volatile long finish;
    private volatile String failure = "";

    BerthJob(JobID id, String submitDir, Credentials credentials, JobTable table) throws IOException {
        this.id = id;
        this.table = table;
        this.submitDir = new Path(submitDir);
        this.conf = new JobConf(new Path(this.submitDir, "job.xml"));
        conf.setCredentials(credentials);
        Engine engine = Engines.of(conf);
        EngineSettings.of(conf);
        this.history = EngineSettings.history(conf);
        EngineSettings.unknown(conf, engine.properties()).forEach(LOG::warn);
        NotHonoured.warnings(conf).forEach(LOG::warn);
        this.user = UserGroupInformation.getCurrentUser();
        this.users = TaskUsers.of(user);
        this.cache = JobCache.of(conf, id);
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        this.classes =
                new JobClasses(conf, cache.classPath(), parent == null ? BerthJob.class.getClassLoader() : parent);
        conf.setClassLoader(classes.loader());
        this.spillConf = new Configuration(conf);
        spillConf.setStrings(SpillFile.DIRS, localDirs("spill"));
        this.book = new TaskBook(id);
        this.tasks = engine.prepare(this);
        this.thread = new Thread(this::run, "berth-job-" + id);
        thread.setContextClassLoader(classes.loader());
    }

    void start() {
        thread.start();
    }

    /** Returns its identifier. */
    public JobID id() {
        return id;
    }

    /** Returns its configuration, with credentials and the paths of the distributed cache; tasks get copies. */
    public JobConf conf() {
        return conf;
    }

    /** Returns a configuration that names the folders for spill files. */
    public Configuration spillConf() {
        return spillConf;
    }

    /** Returns the user who submitted the job. */
    public UserGroupInformation user() {
        return user;
    }

    /** Returns the users in whose name the tasks run. */
    public TaskUsers users() {
        return users;
    }

    /** Returns the loader of the job's classes in this JVM. */
    public ClassLoader classLoader() {
        return classes.loader();
    }

    /** Returns a new loader of the job's classes, whose static fields are shared with no other. */
    public ApplicationClassLoader separateClassLoader() throws IOException {
        return classes.separate();
    }

    /** Returns the file of the job's configuration; the files of its splits are next to it. */
    public Path file() {
        return new Path(submitDir, "job.xml");
    }

    /** Returns the records of its tasks. */
    public TaskBook book() {
        return book;
    }

    /** A folder of this job in each of {@code mapreduce.cluster.local.dir}; they are made when they are needed. */
    public String[] localDirs(String name) {
        String[] roots = conf.getTrimmedStrings("mapreduce.cluster.local.dir", "/tmp/hadoop/mapred/local");
        return Arrays.stream(roots)
                .map(root -> root + "/berth/" + user.getShortUserName() + "/" + id + "/" + name)
                .toArray(String[]::new);
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
        try (TaskUsers.Lease lease = users.lease()) {
            end = lease.open((PrivilegedExceptionAction<JobStatus.State>) this::runAsUser);
        } catch (Throwable e) {
            failure = StringUtils.stringifyException(unwrapped(e));
        } finally {
            tasks.close();
            try {
                cleanUp();
            } catch (IOException | RuntimeException e) {
                LOG.warn("cannot remove the temporary files of {}: {}", id, e.toString());
            }
            users.close();
            // Before the client sees the end and may end its JVM.
            EndNotification.send(conf, id, end);
            finish = System.currentTimeMillis();
            state = end;
            table.end(this, history);
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
            TaskSplitMetaInfo[] splits =
                    SplitMetaInfoReader.readSplitMetaInfo(id, FileSystem.get(submitDir.toUri(), conf), conf, submitDir);
            book.expect(splits.length, conf.getNumReduceTasks());
            committer.setupJob(context);
            setUp = true;
            String why = killed ? KILLED : tasks.run(splits);
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

    private void cleanUp() throws IOException {
        FileSystem local = FileSystem.getLocal(conf);
        for (String dir : localDirs("")) {
            local.delete(new Path(dir), true);
        }
        submitDir.getFileSystem(conf).delete(submitDir, true);
        cache.close();
    }

    private static Throwable unwrapped(@Nullable Throwable error) {
        Throwable cause = error instanceof UndeclaredThrowableException ? error.getCause() : error;
        return cause == null ? new IllegalStateException("a task ended without a reason", error) : cause;
    }

    boolean stop(TaskAttemptID attempt, String why) {
        return tasks.stop(attempt, why);
    }

    void kill() {
        killed = true;
        tasks.stop(KILLED);
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
                file().toString(),
                start,
                finish,
                failure);
    }
}
