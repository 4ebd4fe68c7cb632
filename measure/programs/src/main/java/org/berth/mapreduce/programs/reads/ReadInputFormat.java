package org.berth.mapreduce.programs.reads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * FASTQ and FASTA files, with a number for each read ({@link ReadId}). A record belongs to the split that has its first byte. With a
 * second list of files, the n-th file of that list has the second reads of the pairs of the n-th file, in the same order.
 */
public final class ReadInputFormat extends FileInputFormat<LongWritable, Fragment> {
    private static final String MATES = "berth.reads.mates";
    private static final String FILES = "berth.reads.files";

    /** Sets the input of a job: files, or folders with files, whose names may be patterns. */
    public static void input(Job job, Path reads) throws IOException {
        setInputPaths(job, reads);
        keep(job.getConfiguration(), FILES, files(job));
    }

    /** Sets the input of a job to pairs of reads. */
    public static void input(Job job, Path firsts, Path seconds) throws IOException {
        setInputPaths(job, seconds);
        List<Path> mates = files(job);
        keep(job.getConfiguration(), MATES, mates);
        input(job, firsts);
        int files = files(job.getConfiguration()).size();
        if (mates.size() != files) {
            throw new IOException(
                    seconds + " has " + mates.size() + " files of second reads for " + files + " files of first reads");
        }
    }

    private static List<Path> files(Job job) throws IOException {
        List<Path> files = new ArrayList<>();
        for (FileStatus status : new ReadInputFormat().listStatus(job)) {
            files.add(status.getPath());
        }
        files.sort(null);
        return files;
    }

    private static void keep(Configuration conf, String key, List<Path> files) {
        conf.setInt(key, files.size());
        for (int i = 0; i < files.size(); i++) {
            conf.set(key + "." + i, files.get(i).toString());
        }
    }

    /** The files of the input, in the order of their numbers. */
    public static List<Path> files(Configuration conf) {
        return files(conf, FILES);
    }

    private static List<Path> files(Configuration conf, String key) {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < conf.getInt(key, 0); i++) {
            files.add(new Path(conf.get(key + "." + i, "")));
        }
        return files;
    }

    /** Whether a file is compressed. */
    public static boolean compressed(Configuration conf, Path file) throws IOException {
        return !ReadFile.of(conf, file).splittable();
    }

    static List<Path> mates(Configuration conf) {
        return files(conf, MATES);
    }

    @Override
    protected boolean isSplitable(JobContext context, Path file) {
        try {
            Configuration conf = context.getConfiguration();
            List<Path> mates = mates(conf);
            int number = files(conf).indexOf(file);
            return ReadFile.of(conf, file).splittable()
                    && (mates.isEmpty() || ReadFile.of(conf, mates.get(number)).splittable());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<InputSplit> getSplits(JobContext context) throws IOException {
        List<Path> files = files(context.getConfiguration());
        List<InputSplit> splits = new ArrayList<>();
        for (InputSplit split : super.getSplits(context)) {
            FileSplit part = (FileSplit) split;
            splits.add(new ReadSplit(part, files.indexOf(part.getPath())));
        }
        return splits;
    }

    @Override
    public RecordReader<LongWritable, Fragment> createRecordReader(InputSplit split, TaskAttemptContext context) {
        return new FragmentReader();
    }
}
