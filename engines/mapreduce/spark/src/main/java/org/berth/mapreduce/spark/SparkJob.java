package org.berth.mapreduce.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.EngineJob;
import org.berth.mapreduce.runtime.Piece;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The tasks of a job as one job of Spark: a stage of maps, a shuffle of blocks, a stage of reduces. */
final class SparkJob implements EngineJob {
    private static final Logger LOG = LoggerFactory.getLogger(SparkJob.class);

    /** How long tasks that were stopped may take to remove what they wrote. */
    private static final long END_MILLIS = 20_000;

    private final BerthJob job;
    private final String name;
    private volatile @Nullable Attempts attempts;
    private volatile @Nullable SparkContext spark;
    private volatile @Nullable String stopped;

    SparkJob(BerthJob job) {
        this.job = job;
        this.name = job.id().toString();
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
            String why = null;
            try {
                start(context, splits, description);
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
            SparkApplication.leave(SparkSettings.idleSeconds(job.conf()));
        }
    }

    private void start(SparkContext context, TaskSplitMetaInfo[] splits, Broadcast<byte[]> description)
            throws IOException {
        List<Tuple2<MapSplit, Seq<String>>> located = new ArrayList<>();
        for (int i = 0; i < splits.length; i++) {
            List<String> hosts = new ArrayList<>();
            for (String host : splits[i].getLocations()) {
                if (host != null && !host.equals("localhost")) {
                    hosts.add(host);
                }
            }
            located.add(new Tuple2<>(
                    MapSplit.of(i, splits[i].getSplitIndex()),
                    CollectionConverters.asScala(hosts).toSeq()));
        }
        ClassTag<MapSplit> tag = tag(MapSplit.class);
        JavaRDD<MapSplit> maps = new JavaRDD<>(
                context.makeRDD(CollectionConverters.asScala(located).toSeq(), tag), tag);
        int reduces = job.conf().getNumReduceTasks();
        if (reduces == 0) {
            maps.foreachPartition(new MapOnlyFunction(name, description));
            return;
        }
        JavaPairRDD<Integer, Piece> blocks =
                maps.mapPartitionsToPair(new MapFunction(name, description)).partitionBy(new ByNumber(reduces));
        ((ShuffledRDD<?, ?, ?>) blocks.rdd()).setSerializer(new PieceSerializer());
        blocks.foreachPartition(new ReduceFunction(name, splits.length, description));
    }

    private static <T> ClassTag<T> tag(Class<T> type) {
        return ClassTag$.MODULE$.apply(type);
    }

    @Override
    public void stop(String why) {
        stopped = why;
        Attempts table = attempts;
        if (table != null) {
            table.stop(why);
        }
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

    @Override
    public void close() {}

    /** Sees the tasks that end without a word of their own. */
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
