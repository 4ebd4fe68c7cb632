package org.berth.mapreduce.programs.correction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.berth.mapreduce.programs.reads.Read;

/**
 * A read in a stack: its bases and qualities near the window, in the direction of the window. Columns count from the window's first
 * base; those before it are negative.
 */
final class StackMember implements Writable {
    /** Bases on each side of the window that take part, which bounds what a long read sends to each of its stacks. */
    static final int FLANK = 150;

    private static final int QUALITY_BITS = 6;
    private static final int HIGHEST_QUALITY = (1 << QUALITY_BITS) - 2;
    private static final byte UNKNOWN = -1;
    /** Reads of FASTA files have no qualities: each base is as good as any other. */
    private static final int ASSUMED_QUALITY = 20;

    private long id;
    private int position;
    private boolean reverse;
    private int before;
    private int length;
    private byte[] bases = {};

    /**
     * Sets what is sent.
     *
     * @param position where the window begins in the read
     * @param reverse whether the read has the window's reverse complement
     */
    void set(long id, Read read, int position, int window, boolean reverse) {
        this.id = id;
        this.position = position;
        this.reverse = reverse;
        int from = Math.max(0, position - FLANK);
        int to = Math.min(read.length(), position + window + FLANK);
        before = reverse ? to - position - window : position - from;
        length = to - from;
        reserve();
        byte[] letters = read.bases().getBytes();
        for (int i = from; i < to; i++) {
            int code = BaseCode.of(letters[i]);
            int quality = read.hasQualities() ? read.quality(i) : ASSUMED_QUALITY;
            int place = reverse ? to - 1 - i : i - from;
            bases[place] = code == BaseCode.UNKNOWN
                    ? UNKNOWN
                    : (byte) ((reverse ? BaseCode.complement(code) : code) << QUALITY_BITS
                            | Math.min(HIGHEST_QUALITY, quality));
        }
    }

    private void reserve() {
        if (bases.length < length) {
            bases = new byte[length];
        }
    }

    /** Takes over another one. */
    StackMember copy() {
        StackMember copy = new StackMember();
        copy.id = id;
        copy.position = position;
        copy.reverse = reverse;
        copy.before = before;
        copy.length = length;
        copy.bases = Arrays.copyOf(bases, length);
        return copy;
    }

    long id() {
        return id;
    }

    /** The first column of this read. */
    int first() {
        return -before;
    }

    /** The column behind the last one. */
    int end() {
        return length - before;
    }

    int base(int column) {
        byte value = bases[before + column];
        return value == UNKNOWN ? BaseCode.UNKNOWN : (value & 0xFF) >>> QUALITY_BITS;
    }

    int quality(int column) {
        byte value = bases[before + column];
        return value == UNKNOWN ? 0 : value & (1 << QUALITY_BITS) - 1;
    }

    /** The position of a column in the read. */
    int position(int column, int window) {
        return reverse ? position + window - 1 - column : position + column;
    }

    /** A base of a column as the read has it. */
    int asRead(int base) {
        return reverse ? BaseCode.complement(base) : base;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeLong(id);
        WritableUtils.writeVInt(out, reverse ? -1 - position : position);
        WritableUtils.writeVInt(out, before);
        WritableUtils.writeVInt(out, length);
        out.write(bases, 0, length);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        id = in.readLong();
        int signed = WritableUtils.readVInt(in);
        reverse = signed < 0;
        position = reverse ? -1 - signed : signed;
        before = WritableUtils.readVInt(in);
        length = WritableUtils.readVInt(in);
        reserve();
        in.readFully(bases, 0, length);
    }
}
