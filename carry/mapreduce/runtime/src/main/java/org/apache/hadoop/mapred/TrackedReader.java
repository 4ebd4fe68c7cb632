package org.apache.hadoop.mapred;

import java.io.IOException;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.jspecify.annotations.NullMarked;

/** Counts the records and bytes of a map's input, and reports its progress. */
@NullMarked
final class TrackedReader<K, V> extends RecordReader<K, V> {
    private final RecordReader<K, V> real;
    private final StoppingReporter reporter;
    private final Counters.Counter recordCounter;
    private final Counters.Counter byteCounter;
    private final ThreadBytes threadBytes;
    private final ReportPace pace = new ReportPace();
    private long records;
    private long bytes;

    TrackedReader(
            InputSplit split,
            InputFormat<K, V> format,
            StoppingReporter reporter,
            TaskAttemptContext context,
            ThreadBytes threadBytes)
            throws IOException, InterruptedException {
        this.reporter = reporter;
        this.recordCounter = reporter.getCounter(TaskCounter.MAP_INPUT_RECORDS);
        this.byteCounter = reporter.getCounter(FileInputFormatCounter.BYTES_READ);
        this.threadBytes = threadBytes;
        long before = threadBytes.now();
        this.real = reporter.asEngine(() -> format.createRecordReader(split, context));
        bytes = threadBytes.now() - before;
    }

    private void report() {
        recordCounter.increment(records);
        byteCounter.increment(bytes);
        records = 0;
        bytes = 0;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException, InterruptedException {
        long before = threadBytes.now();
        reporter.asEngine(() -> {
            real.initialize(split, context);
            return true;
        });
        bytes += threadBytes.now() - before;
        report();
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
        long before = threadBytes.now();
        boolean more = real.nextKeyValue();
        bytes += threadBytes.now() - before;
        if (more) {
            records++;
        }
        if (!more || pace.isDue()) {
            report();
            reporter.setProgress(getProgress());
        }
        return more;
    }

    @Override
    public K getCurrentKey() throws IOException, InterruptedException {
        return real.getCurrentKey();
    }

    @Override
    public V getCurrentValue() throws IOException, InterruptedException {
        return real.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException, InterruptedException {
        return real.getProgress();
    }

    @Override
    public void close() throws IOException {
        long before = threadBytes.now();
        try {
            real.close();
        } finally {
            bytes += threadBytes.now() - before;
            report();
        }
    }
}
