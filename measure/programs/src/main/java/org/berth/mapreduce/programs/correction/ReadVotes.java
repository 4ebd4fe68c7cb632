package org.berth.mapreduce.programs.correction;

import java.util.Arrays;
import org.berth.mapreduce.programs.reads.Read;

/** What all stacks of a read say, base by base. */
final class ReadVotes {
    private int[] votes = {};
    private int contested;

    /**
     * Changes the bases of a read where at least one stack says another base and no stack says otherwise.
     *
     * @return number of changed bases
     */
    int apply(Read read, Iterable<Proposal> proposals) {
        int length = read.length();
        if (votes.length < length * BaseCode.COUNT) {
            votes = new int[length * BaseCode.COUNT];
        }
        Arrays.fill(votes, 0, length * BaseCode.COUNT, 0);
        byte[] letters = read.bases().getBytes();
        for (Proposal proposal : proposals) {
            count(proposal, letters);
        }
        int changed = 0;
        contested = 0;
        for (int position = 0; position < length; position++) {
            int own = BaseCode.of(letters[position]);
            int elected = elected(position * BaseCode.COUNT);
            if (elected == BaseCode.UNKNOWN) {
                contested++;
            } else if (elected != own && elected >= 0) {
                letters[position] = BaseCode.letter(elected);
                changed++;
            }
        }
        return changed;
    }

    private void count(Proposal proposal, byte[] letters) {
        for (int position = proposal.from(); position < proposal.end(); position++) {
            if (position < proposal.window() || position >= proposal.windowEnd()) {
                add(position, BaseCode.of(letters[position]), 1);
            }
        }
        for (int i = 0; i < proposal.count(); i++) {
            int position = proposal.position(i);
            add(position, BaseCode.of(letters[position]), -1);
            add(position, proposal.base(i), 1);
        }
    }

    private void add(int position, int base, int count) {
        if (base != BaseCode.UNKNOWN) {
            votes[position * BaseCode.COUNT + base] += count;
        }
    }

    /** The base that all stacks agree on, -1 if none says anything, or {@link BaseCode#UNKNOWN} if they do not agree. */
    private int elected(int start) {
        int elected = -1;
        for (int base = 0; base < BaseCode.COUNT; base++) {
            if (votes[start + base] > 0) {
                elected = elected < 0 ? base : BaseCode.UNKNOWN;
            }
        }
        return elected;
    }

    /** Positions of the last read that stacks did not agree on. */
    int contested() {
        return contested;
    }
}
