package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.berth.mapreduce.programs.reads.Fragment;
import org.berth.mapreduce.programs.reads.Read;
import org.berth.mapreduce.programs.shared.Hash;

/** Sends a read to the stacks of its windows. */
final class StackMapper extends Mapper<LongWritable, Fragment, BytesWritable, StackMember> {
    static final String ROUND = "berth.correction.round";

    private final BytesWritable key = new BytesWritable();
    private final StackMember member = new StackMember();
    private int window;
    private Windows windows = new Windows(1, value -> true);

    /** For Hadoop. */
    StackMapper() {}

    @Override
    protected void setup(Context context) {
        Configuration conf = context.getConfiguration();
        StackSettings settings = StackSettings.of(conf);
        window = settings.window();
        // Each round has other windows.
        int round = conf.getInt(ROUND, 1);
        windows = new Windows(window, value -> Long.remainderUnsigned(Hash.mix(value, round), settings.sample()) == 0);
    }

    @Override
    protected void map(LongWritable id, Fragment fragment, Context context) throws IOException, InterruptedException {
        Read read = fragment.first();
        windows.find(read);
        for (int i = 0; i < windows.count(); i++) {
            if (windows.unique(i)) {
                StackKey.set(key, windows.value(i), id.get());
                member.set(id.get(), read, windows.position(i), window, windows.reverse(i));
                context.write(key, member);
            }
        }
    }
}
