package org.berth.mapreduce.programs.duplicates;

import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.berth.mapreduce.programs.reads.Fragment;
import org.berth.mapreduce.programs.reads.Read;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a fragment unless a kept one of its cluster, whose quality is at least as high, has at most the allowed mismatches with it.
 * Memory holds the bases of kept fragments alone. When these are too many, fragments that are not near them wait in a local file for
 * another round, which gives the same result.
 */
final class ClusterReducer extends Reducer<BytesWritable, Fragment, Text, NullWritable> {
    private final Text record = new Text();
    private final Fragment waiting = new Fragment();
    private @Nullable MultipleOutputs<Text, NullWritable> pairs;
    private int mismatches;
    private long memoryBytes;

    /** For Hadoop. */
    ClusterReducer() {}

    @Override
    protected void setup(Context context) {
        Configuration conf = context.getConfiguration();
        mismatches = conf.getInt(RemoveDuplicates.MISMATCHES, RemoveDuplicates.DEFAULT_MISMATCHES);
        memoryBytes = conf.getLong(RemoveDuplicates.MEMORY, RemoveDuplicates.DEFAULT_MEMORY);
        pairs = conf.getBoolean(RemoveDuplicates.PAIRED, false) ? new MultipleOutputs<>(context) : null;
    }

    @Override
    protected void reduce(BytesWritable key, Iterable<Fragment> fragments, Context context)
            throws IOException, InterruptedException {
        context.getCounter(Duplicate.CLUSTERS).increment(1);
        KeptFragments kept = new KeptFragments(mismatches, memoryBytes);
        int round = 0;
        WaitingFragments later = null;
        try {
            for (Fragment fragment : fragments) {
                context.getCounter(Duplicate.FRAGMENTS).increment(1);
                later = judge(fragment, kept, later, round, context);
            }
            while (later != null) {
                context.getCounter(Duplicate.FURTHER_ROUNDS).increment(1);
                round++;
                kept.clear();
                later = again(later, kept, round, context);
            }
        } finally {
            if (later != null) {
                later.close();
            }
        }
    }

    private @Nullable WaitingFragments again(WaitingFragments former, KeptFragments kept, int round, Context context)
            throws IOException, InterruptedException {
        WaitingFragments later = null;
        try (former;
                DataInputStream in = former.read()) {
            for (long i = 0; i < former.count(); i++) {
                waiting.readFields(in);
                later = judge(waiting, kept, later, round, context);
            }
        }
        return later;
    }

    private @Nullable WaitingFragments judge(
            Fragment fragment, KeptFragments kept, @Nullable WaitingFragments waitingSoFar, int round, Context context)
            throws IOException, InterruptedException {
        WaitingFragments later = waitingSoFar;
        PackedBases bases = new PackedBases(fragment);
        if (kept.containsExactly(bases)) {
            context.getCounter(Duplicate.EXACT).increment(1);
        } else if (kept.containsNear(bases)) {
            context.getCounter(Duplicate.NEAR).increment(1);
        } else if (kept.full()) {
            if (later == null) {
                later = new WaitingFragments(
                        context.getConfiguration(), "duplicates-" + context.getTaskAttemptID() + "-" + round);
            }
            later.add(fragment);
        } else {
            kept.add(bases);
            write(fragment, context);
        }
        return later;
    }

    private void write(Fragment fragment, Context context) throws IOException, InterruptedException {
        if (pairs == null) {
            fragment.first().format(record);
            context.write(record, NullWritable.get());
        } else {
            write(fragment.first(), "1/part", pairs);
            write(fragment.second(), "2/part", pairs);
        }
    }

    private void write(Read read, String path, MultipleOutputs<Text, NullWritable> output)
            throws IOException, InterruptedException {
        read.format(record);
        output.write(record, NullWritable.get(), path);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        if (pairs != null) {
            pairs.close();
        }
    }
}
