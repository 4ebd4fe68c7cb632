package org.berth.mapreduce.programs.pagerank;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/**
 * What flows to a node: shares of its neighbours' ranks, and from the node itself its present rank. Shares are whole multiples of
 * 2^-61, whose sum does not depend on the order of additions; all of them together are 1, which leaves room for the sum of all changes.
 */
final class Mass implements Writable {
    private static final double UNIT = 0x1p-61;

    /** Whether it has the rank of the node itself. */
    private boolean own;

    private boolean sink;
    private long share;
    private double rank;

    /** The whole multiple of the unit that is nearest to a number up to 2. */
    static long units(double number) {
        return Math.round(number / UNIT);
    }

    static double number(long units) {
        return units * UNIT;
    }

    void share(long units) {
        own = false;
        share = units;
    }

    void own(double present, boolean isSink) {
        own = true;
        sink = isSink;
        share = 0;
        rank = present;
    }

    void clear() {
        share(0);
    }

    void add(Mass other) {
        share += other.share;
        if (other.own) {
            own = true;
            sink = other.sink;
            rank = other.rank;
        }
    }

    /** Whether no edge leads away from the node. */
    boolean isSink() {
        return own && sink;
    }

    double shares() {
        return number(share);
    }

    double rank() {
        return rank;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeLong(share);
        out.writeBoolean(own);
        if (own) {
            out.writeBoolean(sink);
            out.writeDouble(rank);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        share = in.readLong();
        own = in.readBoolean();
        if (own) {
            sink = in.readBoolean();
            rank = in.readDouble();
        }
    }
}
