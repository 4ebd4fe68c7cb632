package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.Reducer;
import org.berth.mapreduce.programs.reads.Fragment;

/** Changes the bases of a read by the votes of its stacks. */
abstract class Applier<K, V> extends Reducer<LongWritable, ReadPart, K, V> {
    private final List<Proposal> proposals = new ArrayList<>();
    private final ReadVotes votes = new ReadVotes();
    private final Fragment read = new Fragment();

    @Override
    protected final void reduce(LongWritable id, Iterable<ReadPart> parts, Context context)
            throws IOException, InterruptedException {
        proposals.clear();
        for (ReadPart part : parts) {
            Writable value = part.get();
            if (value instanceof Proposal proposal) {
                proposals.add(WritableUtils.clone(proposal, context.getConfiguration()));
            } else {
                read.set((Fragment) value);
            }
        }
        int changed = votes.apply(read.first(), proposals);
        context.getCounter(Correction.CHANGED_BASES).increment(changed);
        context.getCounter(Correction.CHANGED_READS).increment(changed > 0 ? 1 : 0);
        context.getCounter(Correction.CONTESTED_BASES).increment(votes.contested());
        write(id, read, context);
    }

    abstract void write(LongWritable id, Fragment fragment, Context context) throws IOException, InterruptedException;
}
