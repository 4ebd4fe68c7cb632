package org.berth.mapreduce.programs.correction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/**
 * What a stack says about the bases from one position of a read to another: they are right, but for its window, of
 * which it says nothing, and for some positions, where it says another base or nothing ({@link BaseCode#UNKNOWN}).
 */
final class Proposal implements Writable {
    private static final int FIRST_CAPACITY = 8;
    private static final int CODE_BITS = 3;

    private int from;
    private int end;
    private int window;
    private int windowEnd;
    private int[] exceptions = new int[FIRST_CAPACITY];
    private int count;

    /** Begins with the range, and the window in it. */
    void clear(int start, int behind, int windowStart, int behindWindow) {
        from = start;
        end = behind;
        window = windowStart;
        windowEnd = behindWindow;
        count = 0;
    }

    void add(int position, int base) {
        reserve(count + 1);
        exceptions[count] = (position - from) << CODE_BITS | base;
        count++;
    }

    private void reserve(int size) {
        if (exceptions.length < size) {
            exceptions = Arrays.copyOf(exceptions, Math.max(size, 2 * exceptions.length));
        }
    }

    int from() {
        return from;
    }

    int end() {
        return end;
    }

    /** Where the window begins. */
    int window() {
        return window;
    }

    int windowEnd() {
        return windowEnd;
    }

    /** Number of exceptions. */
    int count() {
        return count;
    }

    int position(int exception) {
        return from + (exceptions[exception] >>> CODE_BITS);
    }

    int base(int exception) {
        return exceptions[exception] & (1 << CODE_BITS) - 1;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeVInt(out, from);
        WritableUtils.writeVInt(out, end);
        WritableUtils.writeVInt(out, window);
        WritableUtils.writeVInt(out, windowEnd);
        WritableUtils.writeVInt(out, count);
        for (int i = 0; i < count; i++) {
            WritableUtils.writeVInt(out, exceptions[i]);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        from = WritableUtils.readVInt(in);
        end = WritableUtils.readVInt(in);
        window = WritableUtils.readVInt(in);
        windowEnd = WritableUtils.readVInt(in);
        count = WritableUtils.readVInt(in);
        reserve(count);
        for (int i = 0; i < count; i++) {
            exceptions[i] = WritableUtils.readVInt(in);
        }
    }
}
