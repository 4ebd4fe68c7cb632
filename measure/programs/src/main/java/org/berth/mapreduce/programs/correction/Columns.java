package org.berth.mapreduce.programs.correction;

import java.util.Arrays;

/** Votes on the columns of a stack, and what follows from them. */
final class Columns {
    static final int UNDECIDED = -1;

    /** An error that two reads share by chance is rare; another copy of a repeat has more. */
    private static final int FEWEST_READS = 2;

    /** Reads of a stack that can change one. */
    static final int FEWEST_VOTERS = FEWEST_READS + 1;

    private final StackSettings settings;
    private final int[] sums;
    private final int[] counts;
    private final int[] consensus;
    private int used;
    private int usedEnd;
    private int first;
    private int end;

    Columns(StackSettings settings) {
        this.settings = settings;
        int columns = settings.window() + 2 * StackMember.FLANK;
        sums = new int[columns * BaseCode.COUNT];
        counts = new int[columns * BaseCode.COUNT];
        consensus = new int[columns];
    }

    /** Begins a stack. */
    void clear() {
        int from = (used + StackMember.FLANK) * BaseCode.COUNT;
        int to = (usedEnd + StackMember.FLANK) * BaseCode.COUNT;
        Arrays.fill(sums, from, to, 0);
        Arrays.fill(counts, from, to, 0);
        Arrays.fill(consensus, UNDECIDED);
        used = 0;
        usedEnd = settings.window();
    }

    void vote(StackMember member) {
        used = Math.min(used, member.first());
        usedEnd = Math.max(usedEnd, member.end());
        for (int column = member.first(); column < member.end(); column++) {
            int base = member.base(column);
            if (base != BaseCode.UNKNOWN) {
                int index = (column + StackMember.FLANK) * BaseCode.COUNT + base;
                sums[index] += member.quality(column);
                counts[index]++;
            }
        }
    }

    /**
     * Goes from the window to both sides, and decides column by column. Where two bases have support the stack mixes places of the
     * genome, and nothing beyond is decided; the same holds where there are too few reads.
     */
    void decide() {
        first = 0;
        while (first > -StackMember.FLANK && decide(first - 1)) {
            first--;
        }
        end = settings.window();
        while (end < settings.window() + StackMember.FLANK && decide(end)) {
            end++;
        }
    }

    /** Returns false where the stack ends. */
    private boolean decide(int column) {
        int start = (column + StackMember.FLANK) * BaseCode.COUNT;
        int best = 0;
        for (int base = 1; base < BaseCode.COUNT; base++) {
            if (sums[start + base] > sums[start + best]) {
                best = base;
            }
        }
        if (counts[start + best] < FEWEST_READS) {
            return false;
        }
        boolean clear = true;
        for (int base = 0; base < BaseCode.COUNT; base++) {
            if (base != best && (long) sums[start + base] * settings.ratio() > sums[start + best]) {
                if (counts[start + base] >= FEWEST_READS) {
                    return false;
                }
                clear = false;
            }
        }
        if (clear && sums[start + best] >= settings.support()) {
            consensus[column + StackMember.FLANK] = best;
        }
        return true;
    }

    /** The first column that may be decided, at most 0. */
    int first() {
        return first;
    }

    /** The column behind the last one that may be decided. */
    int end() {
        return end;
    }

    /** The base of a column outside the window, or {@link #UNDECIDED}. */
    int consensus(int column) {
        return consensus[column + StackMember.FLANK];
    }
}
