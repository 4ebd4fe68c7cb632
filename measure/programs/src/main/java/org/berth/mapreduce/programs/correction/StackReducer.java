package org.berth.mapreduce.programs.correction;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Lets the reads of a stack vote on each column, and says for each read what the result means for its bases. */
final class StackReducer extends Reducer<BytesWritable, StackMember, LongWritable, Proposal> {
    private final LongWritable id = new LongWritable();
    private final Proposal proposal = new Proposal();
    private final List<StackMember> voters = new ArrayList<>();
    private StackSettings settings = StackSettings.DEFAULT;
    private Columns columns = new Columns(settings);

    /** For Hadoop. */
    StackReducer() {}

    @Override
    protected void setup(Context context) {
        settings = StackSettings.of(context.getConfiguration());
        columns = new Columns(settings);
    }

    /** Memory holds the reads that vote; those behind them pass by, and are judged only. */
    @Override
    protected void reduce(BytesWritable key, Iterable<StackMember> members, Context context)
            throws IOException, InterruptedException {
        voters.clear();
        boolean decided = false;
        for (StackMember member : members) {
            if (voters.size() < settings.reads()) {
                voters.add(member.copy());
            } else {
                if (!decided) {
                    context.getCounter(Correction.SAMPLED_STACKS).increment(1);
                    decide(context);
                    decided = true;
                }
                judge(member, context);
            }
        }
        if (!decided && voters.size() >= Columns.FEWEST_VOTERS) {
            decide(context);
        }
    }

    private void decide(Context context) throws IOException, InterruptedException {
        context.getCounter(Correction.STACKS).increment(1);
        columns.clear();
        for (StackMember voter : voters) {
            columns.vote(voter);
        }
        columns.decide();
        for (StackMember voter : voters) {
            judge(voter, context);
        }
    }

    private void judge(StackMember member, Context context) throws IOException, InterruptedException {
        int window = settings.window();
        int first = Math.max(member.first(), columns.first());
        int last = Math.min(member.end(), columns.end()) - 1;
        if (last - first + 1 == window) {
            return;
        }
        int start = Math.min(member.position(first, window), member.position(last, window));
        int windowStart = Math.min(member.position(0, window), member.position(window - 1, window));
        proposal.clear(start, start + last - first + 1, windowStart, windowStart + window);
        if (compare(member, first, 0) && compare(member, window, last + 1)) {
            id.set(member.id());
            context.write(id, proposal);
        } else {
            context.getCounter(Correction.FOREIGN_READS).increment(1);
        }
    }

    /** Compares the columns from one to another, without it; false if there are too many changes. */
    private boolean compare(StackMember member, int from, int to) {
        int changes = 0;
        for (int column = from; column < to; column++) {
            int consensus = columns.consensus(column);
            int position = member.position(column, settings.window());
            if (consensus == Columns.UNDECIDED) {
                proposal.add(position, BaseCode.UNKNOWN);
            } else if (consensus != member.base(column)) {
                proposal.add(position, member.asRead(consensus));
                changes++;
            }
        }
        return changes <= settings.changes();
    }
}
