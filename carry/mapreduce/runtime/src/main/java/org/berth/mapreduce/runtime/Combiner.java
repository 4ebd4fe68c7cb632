package org.berth.mapreduce.runtime;

import java.io.IOException;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.Task.CombinerRunner;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;
import org.berth.mapreduce.runtime.blocks.BlockWriter;
import org.berth.mapreduce.runtime.sort.RecordSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs the combiner of a job. One of the new API gets a {@link GroupContext}; one of the old API is run by Hadoop. There is a new
 * object for each partition of each run, as in Hadoop, since what its cleanup writes belongs to that partition.
 */
final class Combiner<K, V> {
    private final JobConf job;
    private final TaskAttemptID attempt;
    private final Task.TaskReporter reporter;
    private final SerializationFactory factory;
    private final Serializer<K> keys;
    private final Serializer<V> values;
    private final Counters.Counter input;
    private final Counters.Counter output;
    private final GroupContext.Grouping<K, V> grouping;
    private final @Nullable Class<? extends Reducer<K, V, K, V>> type;
    private final @Nullable CombinerRunner<K, V> oldRunner;

    @SuppressWarnings({"unchecked", "NullAway"}) // a combiner is created without a committer in Hadoop, too
    private Combiner(
            JobConf job,
            TaskAttemptID attempt,
            Task.TaskReporter reporter,
            @Nullable Class<? extends Reducer<K, V, K, V>> type)
            throws ClassNotFoundException {
        this.job = job;
        this.attempt = attempt;
        this.reporter = reporter;
        this.type = type;
        Class<K> keyClass = (Class<K>) job.getMapOutputKeyClass();
        Class<V> valueClass = (Class<V>) job.getMapOutputValueClass();
        factory = new SerializationFactory(job);
        keys = factory.getSerializer(keyClass);
        values = factory.getSerializer(valueClass);
        input = reporter.getCounter(TaskCounter.COMBINE_INPUT_RECORDS);
        output = reporter.getCounter(TaskCounter.COMBINE_OUTPUT_RECORDS);
        RawComparator<?> comparator = job.getCombinerKeyGroupingComparator();
        boolean asSorted = job.get(JobContext.COMBINER_GROUP_COMPARATOR_CLASS) == null;
        grouping = new GroupContext.Grouping<>(keyClass, valueClass, comparator, asSorted, false);
        oldRunner = type == null ? CombinerRunner.create(job, attempt, input, reporter, null) : null;
    }

    /** The combiner of a job, or null when it has none. */
    @SuppressWarnings("unchecked")
    static <K, V> @Nullable Combiner<K, V> of(JobConf job, TaskAttemptID attempt, Task.TaskReporter reporter)
            throws ClassNotFoundException {
        // Hadoop prefers a combiner of the old API, too.
        if (job.getCombinerClass() != null) {
            return new Combiner<>(job, attempt, reporter, null);
        }
        Class<? extends Reducer<?, ?, ?, ?>> type =
                new TaskAttemptContextImpl(job, attempt, reporter).getCombinerClass();
        return type == null
                ? null
                : new Combiner<>(job, attempt, reporter, (Class<? extends Reducer<K, V, K, V>>) type);
    }

    /** Combines the records of one partition. */
    void combine(RecordSource records, BlockWriter writer) throws IOException, InterruptedException {
        keys.open(writer.stream());
        values.open(writer.stream());
        Output out = new Output(writer);
        try {
            if (type != null) {
                runNew(records, type, out);
            } else if (oldRunner != null) {
                oldRunner.combine(records, out::write);
            }
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        } finally {
            output.increment(out.records);
        }
    }

    private void runNew(RecordSource records, Class<? extends Reducer<K, V, K, V>> reducerType, Output out)
            throws IOException, InterruptedException {
        Reducer<K, V, K, V> reducer = ReflectionUtils.newInstance(reducerType, job);
        GroupContext<K, V, K, V> context =
                new GroupContext<>(job, attempt, records, null, input, out, null, reporter, grouping, factory);
        try {
            reducer.run(new WrappedReducer<K, V, K, V>().getReducerContext(context));
        } finally {
            context.end();
        }
    }

    private final class Output extends RecordWriter<K, V> {
        private final BlockWriter writer;
        private long records;

        Output(BlockWriter writer) {
            this.writer = writer;
        }

        @Override
        public void write(K key, V value) throws IOException {
            writer.beginRecord();
            keys.serialize(key);
            writer.endOfKey();
            values.serialize(value);
            writer.endRecord();
            records++;
        }

        @Override
        public void close(TaskAttemptContext context) {}
    }
}
