package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.berth.mapreduce.programs.reads.Fragment;

/** Writes reads for the next round. */
final class RoundReducer extends Applier<LongWritable, Fragment> {
    /** For Hadoop. */
    RoundReducer() {}

    @Override
    void write(LongWritable id, Fragment fragment, Context context) throws IOException, InterruptedException {
        context.write(id, fragment);
    }
}
