package org.berth.mapreduce.client;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputFormat;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.RecordWriter;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.util.Progressable;

/** The configuration of an attempt. Hadoop's loops of the old API open their input and output by it, as the engine. */
public final class AttemptConf extends JobConf {
    private final TaskUsers.Lease users;

    /** A copy for one attempt. */
    public AttemptConf(JobConf job, TaskUsers.Lease users) {
        super(job);
        this.users = users;
    }

    private <T> T open(PrivilegedExceptionAction<T> work) throws IOException {
        try {
            return users.open(work);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public InputFormat<Object, Object> getInputFormat() {
        return new Input(super.getInputFormat());
    }

    @Override
    @SuppressWarnings("unchecked")
    public OutputFormat<Object, Object> getOutputFormat() {
        OutputFormat<Object, Object> real = super.getOutputFormat();
        return real instanceof FileOutputFormat ? new FileOutput(real) : new Output(real);
    }

    private final class Input implements InputFormat<Object, Object> {
        private final InputFormat<Object, Object> real;

        Input(InputFormat<Object, Object> real) {
            this.real = real;
        }

        @Override
        public InputSplit[] getSplits(JobConf job, int number) throws IOException {
            return real.getSplits(job, number);
        }

        @Override
        public RecordReader<Object, Object> getRecordReader(InputSplit split, JobConf job, Reporter reporter)
                throws IOException {
            return open(() -> real.getRecordReader(split, job, reporter));
        }
    }

    private final class Output implements OutputFormat<Object, Object> {
        private final OutputFormat<Object, Object> real;

        Output(OutputFormat<Object, Object> real) {
            this.real = real;
        }

        @Override
        public RecordWriter<Object, Object> getRecordWriter(
                FileSystem ignored, JobConf job, String name, Progressable progress) throws IOException {
            return open(() -> real.getRecordWriter(ignored, job, name, progress));
        }

        @Override
        public void checkOutputSpecs(FileSystem ignored, JobConf job) throws IOException {
            real.checkOutputSpecs(ignored, job);
        }
    }

    /** Hadoop counts the bytes of such formats. */
    private final class FileOutput extends FileOutputFormat<Object, Object> {
        private final OutputFormat<Object, Object> real;

        FileOutput(OutputFormat<Object, Object> real) {
            this.real = real;
        }

        @Override
        public RecordWriter<Object, Object> getRecordWriter(
                FileSystem ignored, JobConf job, String name, Progressable progress) throws IOException {
            return open(() -> real.getRecordWriter(ignored, job, name, progress));
        }

        @Override
        public void checkOutputSpecs(FileSystem ignored, JobConf job) throws IOException {
            real.checkOutputSpecs(ignored, job);
        }
    }
}
