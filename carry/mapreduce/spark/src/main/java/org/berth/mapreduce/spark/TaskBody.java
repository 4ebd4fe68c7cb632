package org.berth.mapreduce.spark;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.StringUtils;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.berth.mapreduce.client.AttemptConf;
import org.berth.mapreduce.client.ExitGuard;
import org.berth.mapreduce.client.TaskRun;
import org.berth.mapreduce.client.TaskUsers;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a map or a reduce in a task of Spark. When the user's code fails, Spark repeats the task, elsewhere if it likes; where Spark
 * would not (in local mode, or after its own number of failures), the next attempt runs in the same task.
 */
final class TaskBody {
    private static final Logger LOG = LoggerFactory.getLogger(TaskBody.class);

    /** Shutdown hooks may wait for the task that does not end. */
    private static final long HOOKS_MILLIS = 10_000;

    private static final byte[] NOTHING = new byte[0];

    private final ExecutorJob job;
    private final TaskID id;
    private final TaskContext spark = TaskContext.get();

    /** Makes Hadoop's task for an attempt. */
    interface Maker {
        Task task(TaskAttemptID attempt);
    }

    TaskBody(ExecutorJob job, boolean map, int index) {
        this.job = job;
        this.id = new TaskID(JobID.forName(job.name()), map ? TaskType.MAP : TaskType.REDUCE, index);
    }

    /** Returns the output of a map that has reduces; null for other tasks, and for one whose failure the job tolerates. */
    @Nullable
    MapOutput run(Maker maker) throws Exception {
        while (true) {
            String answer = ask(TaskMessage.Kind.START, Attempts.name(id), "", NOTHING);
            if (answer.equals(TaskMessage.DONE_BEFORE)) {
                return null;
            }
            if (answer.equals(TaskMessage.JOB_ENDED)) {
                throw new IllegalStateException(job.name() + " has ended");
            }
            TaskAttemptID attempt = TaskAttemptID.forName(answer);
            TaskReports reports = new TaskReports(this, spark, attempt);
            Throwable failure;
            try {
                MapOutput output = attempt(maker.task(attempt), reports);
                ask(TaskMessage.Kind.SUCCEEDED, answer, "", reports.last());
                return output;
            } catch (Throwable e) {
                failure = reports.cause(unwrapped(e));
            }
            // An interrupt was meant for the attempt, not for the messages about it.
            Thread.interrupted();
            if (spark.isInterrupted()) {
                ask(TaskMessage.Kind.STOPPED, answer, "stopped by Spark: " + failure, NOTHING);
                throw checked(failure);
            }
            String verdict = ask(TaskMessage.Kind.FAILED, answer, StringUtils.stringifyException(failure), NOTHING);
            if (verdict.equals(TaskMessage.TOLERATED)) {
                return null;
            }
            if (!verdict.equals(TaskMessage.RETRY) || sparkRepeats()) {
                throw checked(failure);
            }
        }
    }

    private @Nullable MapOutput attempt(Task task, TaskReports reports) throws Exception {
        ExitGuard.install();
        Thread thread = Thread.currentThread();
        ClassLoader former = thread.getContextClassLoader();
        ClassLoader loader = job.classLoader(thread);
        thread.setContextClassLoader(loader);
        AttemptThreads threads = new AttemptThreads(reports);
        TaskTimeout timeout = TaskTimeout.watch(job.conf(), reports, () -> giveUp(reports));
        ExitGuard.Scope guarded = ExitGuard.enter(threads);
        MapOutput output;
        TaskUsers.Lease users = job.users().lease();
        try (guarded;
                timeout;
                users) {
            JobConf conf = new AttemptConf(job.conf(), users);
            conf.setClassLoader(loader);
            String folder = task.getTaskID().toString();
            output = users.run((PrivilegedExceptionAction<@Nullable MapOutput>)
                    () -> TaskRun.run(task, conf, job.localDirs(folder), reports, users));
        } finally {
            threads.end();
            reports.end();
            thread.setContextClassLoader(former);
        }
        try {
            reports.requireNoFailure();
        } catch (IllegalStateException e) {
            if (output != null) {
                output.release();
            }
            throw e;
        }
        return output;
    }

    /**
     * The thread of the attempt does not react, and it is Spark's: it cannot be taken from Spark without the executor. In the driver's
     * JVM the job ends, and the application with it, so that the next job has all its threads.
     */
    private void giveUp(TaskReports reports) {
        String why = reports.fatal() + "; it does not end after an interrupt";
        SparkJob here = DriverJobs.find(job.name());
        if (here != null) {
            here.giveUp(reports.attempt(), why);
            return;
        }
        LOG.error("{}: this executor ends, and Spark runs its tasks elsewhere", why);
        try {
            ask(TaskMessage.Kind.FAILED, reports.attempt().toString(), why, NOTHING);
        } catch (IOException e) {
            LOG.warn("the driver was not told: {}", e.toString());
        }
        endExecutor();
    }

    private static void endExecutor() {
        Thread last = new Thread(
                () -> {
                    try {
                        Thread.sleep(HOOKS_MILLIS);
                    } catch (InterruptedException e) {
                        LOG.debug("does not wait for the shutdown hooks", e);
                    }
                    Runtime.getRuntime().halt(1);
                },
                "berth-executor-end");
        last.setDaemon(true);
        last.start();
        System.exit(1);
    }

    /** One failure ends the application's job in plain local mode; otherwise Spark has a number of its own. */
    private boolean sparkRepeats() {
        SparkEnv environment = SparkEnv.get();
        if (environment.executorId().equals("driver")) {
            return false;
        }
        return spark.attemptNumber() + 1 < environment.conf().getInt("spark.task.maxFailures", 4);
    }

    String ask(TaskMessage.Kind kind, String task, String text, byte[] status) throws IOException {
        return DriverLink.ask(new TaskMessage(kind, job.name(), task, spark.taskAttemptId(), text, status));
    }

    private static Throwable unwrapped(Throwable error) {
        return error instanceof UndeclaredThrowableException && error.getCause() != null ? error.getCause() : error;
    }

    private static Exception checked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (Exception) failure;
    }

    /** Throws what Scala's signatures do not name: Spark must see the fetch of a block that failed, for example. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }
}
