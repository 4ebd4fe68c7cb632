package org.berth.mapreduce.programs.correction;

import java.util.Arrays;
import java.util.function.LongPredicate;
import org.berth.mapreduce.programs.reads.Read;

/** The windows of a read that make stacks, each in the direction that is smaller as a number. */
final class Windows {
    private static final int BITS_PER_BASE = 2;

    private final int window;
    private final long mask;
    private final LongPredicate sample;
    private long[] found = new long[16];
    private int[] positions = new int[16];
    private boolean[] reverse = new boolean[16];
    private int count;

    Windows(int window, LongPredicate sample) {
        this.window = window;
        this.mask = (1L << (BITS_PER_BASE * window)) - 1;
        this.sample = sample;
    }

    /** Finds the windows of a read without unknown bases that belong to the sample. */
    void find(Read read) {
        count = 0;
        byte[] letters = read.bases().getBytes();
        long forward = 0;
        long backward = 0;
        int known = 0;
        for (int i = 0; i < read.length(); i++) {
            int code = BaseCode.of(letters[i]);
            if (code == BaseCode.UNKNOWN) {
                known = 0;
                continue;
            }
            forward = (forward << BITS_PER_BASE | code) & mask;
            backward =
                    (backward >>> BITS_PER_BASE) | (long) BaseCode.complement(code) << (BITS_PER_BASE * (window - 1));
            known++;
            if (known >= window && sample.test(Math.min(forward, backward))) {
                add(Math.min(forward, backward), i - window + 1, backward < forward);
            }
        }
    }

    private void add(long value, int position, boolean isReverse) {
        if (count == found.length) {
            found = Arrays.copyOf(found, 2 * count);
            positions = Arrays.copyOf(positions, 2 * count);
            reverse = Arrays.copyOf(reverse, 2 * count);
        }
        found[count] = value;
        positions[count] = position;
        reverse[count] = isReverse;
        count++;
    }

    int count() {
        return count;
    }

    /** The bases of a window, as a number. */
    long value(int index) {
        return found[index];
    }

    int position(int index) {
        return positions[index];
    }

    boolean reverse(int index) {
        return reverse[index];
    }

    /** Whether the read has a window only once: where it has one twice, it is not known how the read lies in the stack. */
    boolean unique(int index) {
        for (int i = 0; i < count; i++) {
            if (i != index && found[i] == found[index]) {
                return false;
            }
        }
        return true;
    }
}
