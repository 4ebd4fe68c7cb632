package org.berth.mapreduce.programs.reads;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/** Reads that begin in a split; second reads of pairs come from the same place of another file. */
final class FragmentReader extends RecordReader<LongWritable, Fragment> {
    private final LongWritable id = new LongWritable();
    private final Fragment fragment = new Fragment();
    private @Nullable ReadParser firsts;
    private @Nullable ReadFile mateFile;
    private @Nullable ReadParser mates;
    private double mateScale;
    private int file;
    private long start;
    private long end;
    private long length;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
        ReadSplit part = (ReadSplit) split;
        Configuration conf = context.getConfiguration();
        ReadFile source = ReadFile.of(conf, part.getPath());
        file = part.file();
        start = part.getStart();
        length = part.getLength();
        end = source.splittable() ? start + length : Long.MAX_VALUE;
        firsts = source.open(start);
        List<Path> seconds = ReadInputFormat.mates(conf);
        fragment.paired(!seconds.isEmpty());
        if (fragment.paired()) {
            mateFile = ReadFile.of(conf, seconds.get(file));
            mateScale = (double) length(mateFile) / Math.max(1, length(source));
        }
    }

    private static long length(ReadFile file) throws IOException {
        return file.fileSystem().getFileStatus(file.path()).getLen();
    }

    @Override
    public boolean nextKeyValue() throws IOException {
        ReadParser parser = firsts;
        if (parser == null) {
            return false;
        }
        long at = parser.position();
        if (at >= end || !parser.next(fragment.first())) {
            return false;
        }
        id.set(ReadId.of(file, at));
        if (mateFile != null) {
            nextMate(mateFile, at);
        }
        return true;
    }

    private void nextMate(ReadFile source, long at) throws IOException {
        ReadParser parser = mates;
        if (parser == null) {
            parser = start == 0 ? source.open(0) : source.openAt(fragment.first(), (long) (at * mateScale));
            mates = parser;
        }
        if (!parser.next(fragment.second()) || !ReadFile.sameFragment(fragment.first(), fragment.second())) {
            throw new IOException(source.path() + ": at the place of the mate of "
                    + fragment.first().name() + " is another read; both files must have their reads in the same order");
        }
    }

    @Override
    public LongWritable getCurrentKey() {
        return id;
    }

    @Override
    public Fragment getCurrentValue() {
        return fragment;
    }

    @Override
    public float getProgress() throws IOException {
        return firsts == null || length == 0 ? 0 : Math.min(1, (float) (firsts.position() - start) / length);
    }

    @Override
    public void close() throws IOException {
        if (firsts != null) {
            firsts.close();
        }
        if (mates != null) {
            mates.close();
        }
    }
}
