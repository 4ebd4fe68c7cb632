package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.berth.mapreduce.programs.reads.Fragment;
import org.berth.mapreduce.programs.reads.ReadId;
import org.berth.mapreduce.programs.reads.ReadInputFormat;
import org.jspecify.annotations.Nullable;

/** Writes reads as files like those of the input: several ones in folders with their numbers, from 1. */
final class LastReducer extends Applier<Text, NullWritable> {
    private final Text record = new Text();
    private @Nullable MultipleOutputs<Text, NullWritable> folders;

    /** For Hadoop. */
    LastReducer() {}

    @Override
    protected void setup(Context context) {
        if (ReadInputFormat.files(context.getConfiguration()).size() > 1) {
            folders = new MultipleOutputs<>(context);
        }
    }

    @Override
    void write(LongWritable id, Fragment fragment, Context context) throws IOException, InterruptedException {
        fragment.first().format(record);
        if (folders == null) {
            context.write(record, NullWritable.get());
        } else {
            folders.write(record, NullWritable.get(), ReadId.file(id.get()) + 1 + "/part");
        }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        if (folders != null) {
            folders.close();
        }
    }
}
