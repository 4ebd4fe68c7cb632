package org.apache.hadoop.mapred;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MapContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.Progress;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's map task with another loop for mappers of the new API. Hadoop's own loop asks all threads of the JVM twice for each
 * record how much they have read, and takes three locks for counters and progress; this one reads the statistics of its own
 * thread and passes counts on in batches. Mappers of the old API and skipping of bad records run in Hadoop's loop.
 */
@NullMarked
public abstract class NewApiMapTask extends MapTask {
    private static final Logger LOG = LoggerFactory.getLogger(NewApiMapTask.class);

    private final TaskSplitIndex index;

    protected NewApiMapTask(String jobFile, TaskAttemptID attempt, int partition, TaskSplitIndex index) {
        super(jobFile, attempt, partition, index, 1);
        this.index = index;
    }

    /** Returns a collector that is initialised. */
    protected abstract MapOutputCollector<Object, Object> collector(MapOutputCollector.Context context)
            throws IOException, ClassNotFoundException;

    @Override
    StoppingReporter startReporter(TaskUmbilicalProtocol newUmbilical) {
        return StoppingReporter.start(this, newUmbilical);
    }

    @Override
    public void run(JobConf job, TaskUmbilicalProtocol newUmbilical)
            throws IOException, ClassNotFoundException, InterruptedException {
        if (!job.getUseNewMapper() || isSkipping()) {
            super.run(job, newUmbilical);
            return;
        }
        umbilical = newUmbilical;
        boolean mapOnly = job.getNumReduceTasks() == 0;
        Progress mapPhase = getProgress().addPhase("map", mapOnly ? 1f : 0.667f);
        if (!mapOnly) {
            getProgress().addPhase("sort", 0.333f);
        }
        StoppingReporter reporter = startReporter(newUmbilical);
        initialize(job, getJobID(), reporter, true);
        map(job, reporter, mapPhase);
        done(newUmbilical, reporter);
    }

    @SuppressWarnings("unchecked")
    private void map(JobConf job, StoppingReporter reporter, Progress mapPhase)
            throws IOException, ClassNotFoundException, InterruptedException {
        TaskAttemptContextImpl context = new TaskAttemptContextImpl(job, getTaskID(), reporter);
        Mapper<Object, Object, Object, Object> mapper =
                (Mapper<Object, Object, Object, Object>) ReflectionUtils.newInstance(context.getMapperClass(), job);
        InputFormat<Object, Object> format =
                (InputFormat<Object, Object>) ReflectionUtils.newInstance(context.getInputFormatClass(), job);
        InputSplit split = split();
        LOG.info("Processing split: {}", split);
        List<Statistics> statistics = split instanceof FileSplit file
                ? getFsStatistics(file.getPath(), context.getConfiguration())
                : List.of();
        RecordReader<Object, Object> input =
                new TrackedReader<>(split, format, reporter, context, new ThreadBytes(statistics, true));
        job.setBoolean(JobContext.SKIP_RECORDS, false);
        RecordWriter<Object, Object> output = job.getNumReduceTasks() == 0
                ? directWriter(reporter, context)
                : new PartitioningWriter(job, context, collector(new MapOutputCollector.Context(this, job, reporter)));
        MapContext<Object, Object, Object, Object> mapContext =
                new MapContextImpl<>(job, getTaskID(), input, output, committer, reporter, split);
        Mapper<Object, Object, Object, Object>.Context wrapped =
                new WrappedMapper<Object, Object, Object, Object>().getMapContext(mapContext);
        RecordReader<Object, Object> openInput = input;
        RecordWriter<Object, Object> openOutput = output;
        try {
            input.initialize(split, wrapped);
            reporter.requireNoFailure();
            mapper.run(wrapped);
            mapPhase.complete();
            setPhase(TaskStatus.Phase.SORT);
            statusUpdate(umbilical);
            input.close();
            openInput = null;
            output.close(wrapped);
            openOutput = null;
        } finally {
            closeAfterFailure(openInput, openOutput, wrapped);
        }
    }

    @SuppressWarnings("unchecked")
    private RecordWriter<Object, Object> directWriter(StoppingReporter reporter, TaskAttemptContextImpl context)
            throws IOException, InterruptedException {
        List<Statistics> statistics = outputFormat instanceof FileOutputFormat
                ? getFsStatistics(FileOutputFormat.getOutputPath(context), context.getConfiguration())
                : List.of();
        return new TrackedWriter<>(
                (org.apache.hadoop.mapreduce.OutputFormat<Object, Object>) outputFormat,
                context,
                reporter,
                reporter.getCounter(TaskCounter.MAP_OUTPUT_RECORDS),
                reporter.getCounter(FileOutputFormatCounter.BYTES_WRITTEN),
                new ThreadBytes(statistics, false));
    }

    @SuppressWarnings("unchecked")
    private InputSplit split() throws IOException {
        Path file = new Path(index.getSplitLocation());
        try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
            in.seek(index.getStartOffset());
            String name = Text.readString(in);
            Class<InputSplit> type;
            try {
                type = (Class<InputSplit>) conf.getClassByName(name);
            } catch (ClassNotFoundException e) {
                throw new IOException("Split class " + name + " not found", e);
            }
            Deserializer<InputSplit> deserializer = new SerializationFactory(conf).getDeserializer(type);
            deserializer.open(in);
            InputSplit split = deserializer.deserialize(null);
            getCounters().findCounter(TaskCounter.SPLIT_RAW_BYTES).increment(in.getPos() - index.getStartOffset());
            return split;
        }
    }

    private static void closeAfterFailure(
            @Nullable RecordReader<Object, Object> input,
            @Nullable RecordWriter<Object, Object> output,
            Mapper<Object, Object, Object, Object>.Context context) {
        try {
            if (input != null) {
                input.close();
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("cannot close the input of a map that failed", e);
        }
        try {
            if (output != null) {
                output.close(context);
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            LOG.info("cannot close the output of a map that failed", e);
        }
    }

    /** What a mapper writes goes to the partition that the job's partitioner chooses. */
    private static final class PartitioningWriter extends RecordWriter<Object, Object> {
        private final MapOutputCollector<Object, Object> collector;
        private final int partitions;
        private final org.apache.hadoop.mapreduce.@Nullable Partitioner<Object, Object> partitioner;

        @SuppressWarnings("unchecked")
        PartitioningWriter(JobConf job, TaskAttemptContextImpl context, MapOutputCollector<Object, Object> collector)
                throws ClassNotFoundException {
            this.collector = collector;
            this.partitions = context.getNumReduceTasks();
            // Hadoop asks no partitioner when there is one partition, either.
            this.partitioner = partitions > 1
                    ? (org.apache.hadoop.mapreduce.Partitioner<Object, Object>)
                            ReflectionUtils.newInstance(context.getPartitionerClass(), job)
                    : null;
        }

        @Override
        public void write(Object key, Object value) throws IOException, InterruptedException {
            collector.collect(key, value, partitioner == null ? 0 : partitioner.getPartition(key, value, partitions));
        }

        @Override
        public void close(org.apache.hadoop.mapreduce.TaskAttemptContext context)
                throws IOException, InterruptedException {
            try {
                collector.flush();
            } catch (ClassNotFoundException e) {
                throw new IOException("can't find class ", e);
            }
            collector.close();
        }
    }
}
