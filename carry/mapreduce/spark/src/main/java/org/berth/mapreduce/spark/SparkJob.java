package org.berth.mapreduce.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.EngineJob;
import org.berth.mapreduce.client.Isolation;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.berth.mapreduce.runtime.blocks.MapOutputs;
import org.berth.mapreduce.runtime.blocks.Piece;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * The tasks of a job as one job of Spark: a stage of maps, a shuffle of blocks, a stage of reduces. With a local master
 * maps and reduces are a job of Spark each, and the reduces read the blocks where the maps have left them.
 */
final class SparkJob implements EngineJob {
    private static final Logger LOG = LoggerFactory.getLogger(SparkJob.class);

    /** How long tasks that were stopped may take to remove what they wrote. */
    private static final long END_MILLIS = 20_000;

    private final BerthJob job;
    private final String name;
    private final Isolation isolation;
    private volatile @Nullable Attempts attempts;
    private volatile @Nullable SparkContext spark;
    private volatile @Nullable String stopped;
    private MapOutputs outputs = new MapOutputs(0);
    private boolean closed;

    SparkJob(BerthJob job) {
        this.job = job;
        this.name = job.id().toString();
        this.isolation = new Isolation(job.conf(), job::classLoader, job::separateClassLoader);
    }

    Isolation isolation() {
        return isolation;
    }

    BerthJob job() {
        return job;
    }

    Attempts attempts() {
        Attempts table = attempts;
        if (table == null) {
            throw new IllegalStateException("the job has not started");
        }
        return table;
    }

    /** Keeps the blocks of a map for the reduces of this JVM. */
    synchronized void keep(int map, MapOutput output) {
        if (closed) {
            output.release();
        } else {
            outputs.put(map, output);
        }
    }

    synchronized MapOutputs outputs() {
        return outputs;
    }

    @Override
    public @Nullable String run(TaskSplitMetaInfo[] splits) throws Exception {
        Attempts table = new Attempts(job, splits.length);
        attempts = table;
        String before = stopped;
        if (before != null) {
            return before;
        }
        SparkContext context = SparkApplication.enter(job.conf());
        spark = context;
        LostTasks listener = new LostTasks(table);
        Broadcast<byte[]> description = null;
        try {
            DriverJobs.add(name, this);
            context.addSparkListener(listener);
            context.setJobGroup(name, name + ": " + job.conf().getJobName(), true);
            description = context.broadcast(ExecutorJob.describe(job), tag(byte[].class));
            // Killed while Spark started.
            String why = table.failure();
            try {
                if (why == null) {
                    start(context, splits, description);
                }
            } catch (Exception e) {
                why = table.failure();
                if (why == null) {
                    why = "Spark gave the job up: " + e.getMessage();
                    LOG.debug("a job of Spark failed", e);
                }
                table.stop(why);
            }
            int left = table.await(END_MILLIS);
            if (left > 0) {
                LOG.warn("{} tasks of {} do not end; what they still write may stay in its output folder", left, name);
            }
            return why;
        } finally {
            DriverJobs.remove(name);
            if (!context.isStopped()) {
                context.clearJobGroup();
                context.removeSparkListener(listener);
                if (description != null) {
                    description.destroy();
                }
            }
            SparkApplication.leave(ApplicationSettings.idleSeconds(job.conf()));
        }
    }

    private void start(SparkContext context, TaskSplitMetaInfo[] splits, Broadcast<byte[]> description)
            throws IOException {
        List<MapSplit> parts = new ArrayList<>();
        List<List<String>> hosts = new ArrayList<>();
        for (int i = 0; i < splits.length; i++) {
            parts.add(MapSplit.of(i, splits[i].getSplitIndex()));
            hosts.add(Arrays.stream(splits[i].getLocations())
                    .filter(host -> host != null && !host.equals("localhost"))
                    .toList());
        }
        RDD<Tuple2<Integer, Piece>> maps = new MapRdd(context, name, description, parts, hosts);
        int reduces = job.conf().getNumReduceTasks();
        if (reduces == 0 || context.isLocal()) {
            synchronized (this) {
                outputs = new MapOutputs(splits.length);
            }
            run(context, maps, new MapOnlyFunction());
            maps = new LocalReduceRdd(context, reduces);
        } else {
            ClassTag<Piece> piece = tag(Piece.class);
            maps = new ShuffledRDD<>(maps, new ByNumber(reduces), tag(Integer.class), piece, piece)
                    .setSerializer(new PieceSerializer());
        }
        if (reduces > 0) {
            run(context, maps, new ReduceFunction(name, splits.length, description));
        }
    }

    private static void run(
            SparkContext context,
            RDD<Tuple2<Integer, Piece>> tasks,
            AbstractFunction2<TaskContext, Iterator<Tuple2<Integer, Piece>>, Boolean> function) {
        context.runJob(tasks, function, tag(Boolean.class));
    }

    private static <T> ClassTag<T> tag(Class<T> type) {
        return ClassTag$.MODULE$.apply(type);
    }

    /**
     * Returns the answer to a task's message. Spark would repeat a task that fails the job, and let the others go on
     * meanwhile.
     */
    String answer(TaskMessage message) {
        String answer = attempts().answer(message);
        if (answer.equals(TaskMessage.GIVE_UP)) {
            cancel();
        }
        return answer;
    }

    @Override
    public void stop(String why) {
        stopped = why;
        Attempts table = attempts;
        if (table != null) {
            table.stop(why);
        }
        cancel();
    }

    private void cancel() {
        SparkContext context = spark;
        if (context != null && !context.isStopped()) {
            context.cancelJobGroup(name);
        }
    }

    @Override
    public boolean stop(TaskAttemptID attempt, String why) {
        Attempts table = attempts;
        SparkContext context = spark;
        long task = table == null ? -1 : table.sparkTask(attempt);
        return task >= 0 && context != null && context.killTaskAttempt(task, true, why);
    }

    /** Ends the job, because this attempt keeps a thread of the application that runs in this JVM. */
    void giveUp(TaskAttemptID attempt, String why) {
        attempts().giveUp(attempt, why);
        SparkContext context = spark;
        if (context != null && !context.isStopped()) {
            SparkApplication.lostThread(context);
            context.cancelJobGroup(name);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            outputs.release();
        }
        isolation.close();
    }

    /** Detects tasks that end without a final message. */
    private static final class LostTasks extends SparkListener {
        private final Attempts attempts;

        LostTasks(Attempts attempts) {
            this.attempts = attempts;
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.taskInfo() != null && !end.taskInfo().successful()) {
                attempts.lost(end.taskInfo().taskId(), String.valueOf(end.reason()));
            }
        }
    }
}
