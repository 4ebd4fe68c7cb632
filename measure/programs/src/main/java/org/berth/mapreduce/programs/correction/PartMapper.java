package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Mapper;

/** Brings reads and what stacks say about them together. */
final class PartMapper extends Mapper<LongWritable, Writable, LongWritable, ReadPart> {
    private final ReadPart part = new ReadPart();

    /** For Hadoop. */
    PartMapper() {}

    @Override
    protected void map(LongWritable id, Writable value, Context context) throws IOException, InterruptedException {
        part.set(value);
        context.write(id, part);
    }
}
