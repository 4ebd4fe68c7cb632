package org.berth.hadoopjobs;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Writes its thread and how many tasks have used this class before; does not end before another task has begun. */
public final class StaticStateMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
    private static final AtomicInteger TASKS = new AtomicInteger();

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
        File folder = new File(context.getConfiguration().get("test.folder"));
        new File(folder, context.getTaskAttemptID().toString()).createNewFile();
        while (folder.list().length < 2) {
            Thread.sleep(5);
        }
        context.write(
                new Text(Long.toString(Thread.currentThread().getId())), new LongWritable(TASKS.incrementAndGet()));
    }

    @Override
    protected void map(LongWritable key, Text value, Context context) {}
}
