package org.apache.hadoop.mapred;

import java.io.IOException;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.NullMarked;

/** Counts the records and bytes that a task of the new API writes to the job's output. */
@NullMarked
final class TrackedWriter<K, V> extends RecordWriter<K, V> {
    private final RecordWriter<K, V> real;
    private final StoppingReporter reporter;
    private final Counters.Counter recordCounter;
    private final Counters.Counter byteCounter;
    private final ThreadBytes threadBytes;
    private final ReportPace pace = new ReportPace();
    private long records;
    private long bytes;

    TrackedWriter(
            OutputFormat<K, V> format,
            TaskAttemptContext context,
            StoppingReporter reporter,
            Counters.Counter recordCounter,
            Counters.Counter byteCounter,
            ThreadBytes threadBytes)
            throws IOException, InterruptedException {
        this.reporter = reporter;
        this.recordCounter = recordCounter;
        this.byteCounter = byteCounter;
        this.threadBytes = threadBytes;
        long before = threadBytes.now();
        this.real = reporter.asEngine(() -> format.getRecordWriter(context));
        bytes = threadBytes.now() - before;
        report();
    }

    private void report() {
        recordCounter.increment(records);
        byteCounter.increment(bytes);
        records = 0;
        bytes = 0;
        reporter.progress();
    }

    @Override
    public void write(K key, V value) throws IOException, InterruptedException {
        long before = threadBytes.now();
        real.write(key, value);
        bytes += threadBytes.now() - before;
        records++;
        if (pace.isDue()) {
            report();
        }
    }

    @Override
    public void close(TaskAttemptContext context) throws IOException, InterruptedException {
        long before = threadBytes.now();
        try {
            real.close(context);
        } finally {
            bytes += threadBytes.now() - before;
            report();
        }
    }
}
