package org.berth.mapreduce.runtime;

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
import org.apache.hadoop.mapred.ReportPace;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.berth.mapreduce.runtime.blocks.BlockWriter;
import org.berth.mapreduce.runtime.blocks.MapCodec;
import org.berth.mapreduce.runtime.blocks.MapOutput;
import org.berth.mapreduce.runtime.blocks.MergeIterator;
import org.berth.mapreduce.runtime.blocks.RecordStream;
import org.berth.mapreduce.runtime.blocks.Segment;
import org.berth.mapreduce.runtime.blocks.SpillFile;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.berth.mapreduce.runtime.sort.SortBuffer;
import org.berth.mapreduce.runtime.sort.SortedRecords;
import org.jspecify.annotations.Nullable;

/**
 * Collects the output of a map in a sort buffer of pooled pages. A full buffer is sorted, combined while it is in the cache, and
 * kept as a block in memory while there is room, in a file otherwise. Hadoop's map task creates it by reflection.
 */
public final class BlockCollector<K, V> implements MapOutputCollector<K, V> {
    /** The property with the size of a sort buffer; without it, a job with a combiner has a smaller one. */
    public static final String SORT_BYTES = "berth.mapreduce.sort.bytes";

    /**
     * Records go to the chain of their key, anywhere in the buffer: one that stays in the caches of a core costs less than the
     * combiner's second pass over its runs. WordCount of 512 MB took 34.3 s of CPU time with 16 MiB, 30.6 s with 4 MiB.
     */
    private static final long COMBINED_BYTES = 4 << 20;

    private @Nullable State<K, V> state;

    @Override
    public void init(Context context) throws IOException, ClassNotFoundException {
        if (!(context.getMapTask() instanceof BerthMapTask task)) {
            throw new IllegalStateException("this collector works only in a task of Berth's engine");
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
            open.buffer.close();
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
        private final RecordStream stream;
        private final ReportPace pace = new ReportPace();
        private final Class<?> keyClass;
        private final Class<?> valueClass;
        private final Serializer<K> keys;
        private final Serializer<V> values;
        private final MapOutput result;
        private final @Nullable CompressionCodec codec;
        private final @Nullable Combiner<K, V> combiner;
        private final int runsToCombine;
        private final Counters.Counter records;
        private final Counters.Counter bytes;
        private final Counters.Counter materialized;
        private final Counters.Counter spilled;
        private int runs;
        private int files;
        private long newRecords;
        private long newBytes;

        @SuppressWarnings("unchecked")
        State(Context context, BerthMapTask task) throws IOException, ClassNotFoundException {
            this.task = task;
            job = context.getJobConf();
            reporter = context.getReporter();
            pool = task.pool();
            partitions = job.getNumReduceTasks();
            comparator = job.getOutputKeyComparator();
            combiner = Combiner.of(job, task.getTaskID(), reporter);
            boolean small = combiner != null && job.get(SORT_BYTES) == null;
            buffer = new SortBuffer(pool, comparator, partitions, small ? COMBINED_BYTES : Long.MAX_VALUE);
            stream = new RecordStream(buffer.output());
            keyClass = job.getMapOutputKeyClass();
            valueClass = job.getMapOutputValueClass();
            SerializationFactory factory = new SerializationFactory(job);
            keys = (Serializer<K>) factory.getSerializer(keyClass);
            keys.open(stream);
            values = (Serializer<V>) factory.getSerializer(valueClass);
            values.open(stream);
            codec = MapCodec.of(job);
            records = reporter.getCounter(TaskCounter.MAP_OUTPUT_RECORDS);
            bytes = reporter.getCounter(TaskCounter.MAP_OUTPUT_BYTES);
            materialized = reporter.getCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES);
            spilled = reporter.getCounter(TaskCounter.SPILLED_RECORDS);
            runsToCombine = Math.max(2, job.getInt("mapreduce.map.combine.minspills", 3));
            result = new MapOutput(partitions);
            task.setOutput(result);
        }

        void collect(K key, V value, int partition) throws IOException, InterruptedException {
            if (key.getClass() != keyClass) {
                throw mismatch("key", keyClass, key);
            }
            if (value.getClass() != valueClass) {
                throw mismatch("value", valueClass, value);
            }
            if (partition < 0 || partition >= partitions) {
                throw new IOException("Illegal partition for " + key + " (" + partition + ")");
            }
            buffer.begin();
            keys.serialize(key);
            buffer.endOfKey(partition);
            values.serialize(value);
            newBytes += buffer.end();
            newRecords++;
            if (pace.isDue()) {
                report();
            }
            if (buffer.isFull()) {
                run();
            }
        }

        private void report() {
            records.increment(newRecords);
            bytes.increment(newBytes);
            newRecords = 0;
            newBytes = 0;
            reporter.progress();
        }

        void flush() throws IOException, InterruptedException, ClassNotFoundException {
            report();
            if (!buffer.isEmpty()) {
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
            // What a combiner leaves is smaller than the buffer in most jobs; the writer goes on in a file when it is
            // not.
            long expected = combiner == null ? buffer.bytes() : Math.min(buffer.bytes(), buffer.pageBytes());
            write(expected + pool.pageBytes(), (writer, partition) -> {
                int from = buffer.from(partition);
                int to = buffer.to(partition);
                SortedRecords sorted = new SortedRecords(buffer, from, to);
                if (combiner != null && from < to) {
                    combiner.combine(sorted, writer);
                } else {
                    while (sorted.next()) {
                        writer.append(
                                sorted.keyData(),
                                sorted.keyStart(),
                                sorted.keyLength(),
                                sorted.valueData(),
                                sorted.valueStart(),
                                sorted.valueLength());
                    }
                }
            });
            buffer.clear();
            runs++;
            reporter.progress();
        }

        /** Many runs have the same keys: combined once more, they are as small as one. */
        private void combineRuns() throws IOException, InterruptedException {
            int factor = BlockShuffle.openFiles(job);
            int before;
            int after = segments();
            do {
                before = after;
                combineNeighbours(factor);
                after = segments();
            } while (after > factor && after < before);
        }

        private int segments() {
            int most = 0;
            for (int i = 0; i < partitions; i++) {
                most = Math.max(most, result.segments(i).size());
            }
            return most;
        }

        private void combineNeighbours(int factor) throws IOException, InterruptedException {
            List<List<Segment>> former = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                List<Segment> segments = result.segments(i);
                former.add(new ArrayList<>(segments));
                segments.clear();
            }
            int groups = former.stream().mapToInt(List::size).max().orElse(0);
            try {
                for (int i = 0; i < groups; i += factor) {
                    int first = i;
                    write(pool.pageBytes(), (writer, partition) -> {
                        List<Segment> all = former.get(partition);
                        if (first < all.size()) {
                            combineSegments(all.subList(first, Math.min(all.size(), first + factor)), writer);
                        }
                    });
                }
            } finally {
                former.forEach(segments -> segments.forEach(Segment::release));
            }
        }

        private void combineSegments(List<Segment> segments, BlockWriter writer)
                throws IOException, InterruptedException {
            MergeIterator merge = MergeIterator.open(comparator, segments);
            try {
                if (combiner != null) {
                    combiner.combine(merge, writer);
                }
            } finally {
                merge.close();
            }
        }

        private interface Source {
            void writeTo(BlockWriter writer, int partition) throws IOException, InterruptedException;
        }

        /** Writes all partitions, to memory when there is room for what is expected. */
        private void write(long expectedBytes, Source source) throws IOException, InterruptedException {
            BufferPool.Room room = pool.reserve(expectedBytes);
            BlockWriter writer = new BlockWriter(
                    pool,
                    room,
                    () -> SpillFile.create(
                            task.spillConf(), codec, task.getTaskID() + "-run-" + files++, expectedBytes),
                    result);
            boolean done = false;
            try {
                for (int i = 0; i < partitions; i++) {
                    writer.start(i);
                    source.writeTo(writer, i);
                    writer.end();
                }
                writer.finish();
                done = true;
            } finally {
                if (!done) {
                    writer.abandon();
                }
            }
            spilled.increment(writer.spilledRecords());
        }

        private static IOException mismatch(String what, Class<?> expected, Object got) {
            return new IOException("Type mismatch in " + what + " from map: expected " + expected.getName()
                    + ", received " + got.getClass().getName());
        }
    }
}
