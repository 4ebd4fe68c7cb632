package org.berth.mapreduce.programs.graph;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;

/** Sequence files, one for each map. For one thread. */
public final class WholeFiles extends SequenceFileInputFormat<Text, Text> {
    @Override
    protected boolean isSplitable(JobContext context, Path file) {
        return false;
    }
}
