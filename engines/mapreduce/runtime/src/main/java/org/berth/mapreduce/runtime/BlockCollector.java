package org.berth.mapreduce.runtime;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.Task.CombinerRunner;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.jspecify.annotations.Nullable;

/**
 * Collects the output of a map in a sort buffer of pooled pages. A full buffer is sorted, combined while it is in the cache, and
 * kept as a block in memory while there is room, in a file otherwise. Hadoop's map task creates it by reflection.
 */
public final class BlockCollector<K, V> implements MapOutputCollector<K, V> {
    private @Nullable State<K, V> state;

    @Override
    public void init(Context context) throws IOException, ClassNotFoundException {
        if (!(context.getMapTask() instanceof BerthMapTask task)) {
            throw new IllegalStateException("this collector works in a task of Berth's engine only");
        }
        state = new State<>(context, task);
    }

    private State<K, V> state() {
        State<K, V> open = state;
        if (open == null) {
            throw new IllegalStateException("the collector is not open");
        }
        return open;
    }

    /** Hadoop's collector takes records of several threads of a map, and programs such as MultithreadedMapRunner count on that. */
    @Override
    public synchronized void collect(K key, V value, int partition) throws IOException, InterruptedException {
        state().collect(key, value, partition);
    }

    @Override
    public void flush() throws IOException, InterruptedException, ClassNotFoundException {
        state().flush();
    }

    @Override
    public void close() {
        State<K, V> open = state;
        if (open != null) {
            open.buffer.clear();
        }
    }

    private static final class State<K, V> {
        private final BerthMapTask task;
        private final JobConf job;
        private final Task.TaskReporter reporter;
        private final BufferPool pool;
        private final int partitions;
        private final RawComparator<?> comparator;
        private final SortBuffer buffer;
        private final RecordOutput output;
        private final Class<?> keyClass;
        private final Class<?> valueClass;
        private final Serializer<K> keys;
        private final Serializer<V> values;
        private final MapOutput result;
        private final @Nullable CompressionCodec codec;
        private final @Nullable CombinerRunner<K, V> combiner;
        private final int runsToCombine;
        private final Counters.Counter records;
        private final Counters.Counter bytes;
        private final Counters.Counter materialized;
        private final Counters.Counter spilled;
        private final Counters.Counter combined;
        private int runs;

        @SuppressWarnings({"unchecked", "NullAway"}) // a combiner is created without a committer in Hadoop, too
        State(Context context, BerthMapTask task) throws IOException, ClassNotFoundException {
            this.task = task;
            job = context.getJobConf();
            reporter = context.getReporter();
            pool = task.pool();
            partitions = job.getNumReduceTasks();
            comparator = job.getOutputKeyComparator();
            buffer = new SortBuffer(pool, comparator, partitions);
            output = buffer.output();
            keyClass = job.getMapOutputKeyClass();
            valueClass = job.getMapOutputValueClass();
            SerializationFactory factory = new SerializationFactory(job);
            DataOutputStream stream = new DataOutputStream(output);
            keys = (Serializer<K>) factory.getSerializer(keyClass);
            keys.open(stream);
            values = (Serializer<V>) factory.getSerializer(valueClass);
            values.open(stream);
            codec = MapCodec.of(job);
            records = reporter.getCounter(TaskCounter.MAP_OUTPUT_RECORDS);
            bytes = reporter.getCounter(TaskCounter.MAP_OUTPUT_BYTES);
            materialized = reporter.getCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES);
            spilled = reporter.getCounter(TaskCounter.SPILLED_RECORDS);
            combined = reporter.getCounter(TaskCounter.COMBINE_OUTPUT_RECORDS);
            combiner = CombinerRunner.create(
                    job, task.getTaskID(), reporter.getCounter(TaskCounter.COMBINE_INPUT_RECORDS), reporter, null);
            runsToCombine = Math.max(2, job.getInt("mapreduce.map.combine.minspills", 3));
            result = new MapOutput(partitions);
            task.setOutput(result);
        }

        void collect(K key, V value, int partition) throws IOException, InterruptedException {
            reporter.progress();
            if (key.getClass() != keyClass) {
                throw mismatch("key", keyClass, key);
            }
            if (value.getClass() != valueClass) {
                throw mismatch("value", valueClass, value);
            }
            if (partition < 0 || partition >= partitions) {
                throw new IOException("Illegal partition for " + key + " (" + partition + ")");
            }
            output.begin();
            keys.serialize(key);
            output.endOfKey();
            values.serialize(value);
            int length = output.end();
            buffer.add(partition, Page.keyLength(output.data(), output.start()));
            records.increment(1);
            bytes.increment(length);
            if (buffer.isFull()) {
                run();
            }
        }

        void flush() throws IOException, InterruptedException, ClassNotFoundException {
            if (buffer.count() > 0) {
                run();
            }
            if (combiner != null && runs >= runsToCombine) {
                combineRuns();
            }
            for (int i = 0; i < partitions; i++) {
                for (Segment segment : result.segments(i)) {
                    materialized.increment(segment.bytes());
                }
            }
        }

        private void run() throws IOException, InterruptedException {
            buffer.sort();
            write(buffer.bytes(), false, (writer, partition) -> {
                int from = buffer.from(partition);
                int to = buffer.to(partition);
                if (combiner != null && from < to) {
                    SortedRecords cursor = new SortedRecords(buffer, from, to);
                    combine(MergeIterator.of(comparator, List.of(cursor), to - from), writer);
                } else {
                    for (int i = from; i < to; i++) {
                        byte[] data = buffer.data(i);
                        int offset = buffer.offset(i);
                        int keyLength = Page.keyLength(data, offset);
                        int keyStart = offset + Page.HEADER;
                        writer.append(data, keyStart, keyLength, keyStart + keyLength, Page.valueLength(data, offset));
                    }
                }
            });
            buffer.clear();
            runs++;
        }

        /** Many runs have the same keys: combined once more, they are as small as one. */
        private void combineRuns() throws IOException, InterruptedException {
            List<List<Segment>> former = new ArrayList<>();
            long total = 0;
            for (int i = 0; i < partitions; i++) {
                List<Segment> segments = result.segments(i);
                total += segments.stream().mapToLong(Segment::bytes).sum();
                former.add(new ArrayList<>(segments));
                segments.clear();
            }
            try {
                write(total, true, (writer, partition) -> {
                    List<Segment> segments = former.get(partition);
                    if (!segments.isEmpty()) {
                        MergeIterator merge = MergeIterator.open(comparator, segments);
                        try {
                            combine(merge, writer);
                        } finally {
                            merge.close();
                        }
                    }
                });
            } finally {
                former.forEach(segments -> segments.forEach(Segment::release));
            }
        }

        private interface Source {
            void writeTo(BlockWriter writer, int partition) throws IOException, InterruptedException;
        }

        /** Writes all partitions; a combination of runs is far smaller than they are, so it is not reserved for. */
        private void write(long expected, boolean small, Source source) throws IOException, InterruptedException {
            long reserved = small ? Math.min(expected, pool.pageBytes()) : expected;
            boolean inMemory = pool.reserve(reserved);
            if (inMemory) {
                pool.unreserve(reserved);
            }
            String name = task.getTaskID() + "-run-" + runs;
            SpillFile file = inMemory ? null : SpillFile.create(task.spillConf(), codec, name, expected);
            BlockWriter writer = new BlockWriter(pool, file, result);
            boolean done = false;
            try {
                for (int i = 0; i < partitions; i++) {
                    writer.start();
                    source.writeTo(writer, i);
                    writer.end(i);
                }
                writer.finish();
                done = true;
            } finally {
                if (!done) {
                    writer.abandon();
                }
                if (file != null) {
                    file.close();
                }
            }
            if (file != null) {
                spilled.increment(writer.recordsWritten());
            }
        }

        @SuppressWarnings("unchecked")
        private void combine(RawKeyValueIterator input, BlockWriter writer) throws IOException, InterruptedException {
            SerializationFactory factory = new SerializationFactory(job);
            Serializer<K> combinedKeys = (Serializer<K>) factory.getSerializer(keyClass);
            Serializer<V> combinedValues = (Serializer<V>) factory.getSerializer(valueClass);
            combinedKeys.open(writer.stream());
            combinedValues.open(writer.stream());
            CombinerRunner<K, V> runner = combiner;
            if (runner == null) {
                return;
            }
            try {
                runner.combine(input, (key, value) -> {
                    writer.beginRecord();
                    combinedKeys.serialize(key);
                    writer.endOfKey();
                    combinedValues.serialize(value);
                    writer.endRecord();
                    combined.increment(1);
                    reporter.progress();
                });
            } catch (ClassNotFoundException e) {
                throw new IOException(e);
            }
        }

        private static IOException mismatch(String what, Class<?> expected, Object got) {
            return new IOException("Type mismatch in " + what + " from map: expected " + expected.getName()
                    + ", received " + got.getClass().getName());
        }
    }
}
