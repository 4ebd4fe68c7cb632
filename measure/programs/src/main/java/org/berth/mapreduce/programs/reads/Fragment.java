package org.berth.mapreduce.programs.reads;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/** A piece of DNA that was sequenced from one end (one read) or from both (a pair). */
public final class Fragment implements Writable {
    private final Read first = new Read();
    private final Read second = new Read();
    private boolean paired;

    /** The read, or the first one of a pair. */
    public Read first() {
        return first;
    }

    /** The second read of a pair; undefined if there is none. */
    public Read second() {
        return second;
    }

    /** Whether there are two reads. */
    public boolean paired() {
        return paired;
    }

    void paired(boolean value) {
        paired = value;
    }

    /** Takes over another fragment. */
    public void set(Fragment other) {
        first.set(other.first);
        paired = other.paired;
        if (paired) {
            second.set(other.second);
        }
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeBoolean(paired);
        first.write(out);
        if (paired) {
            second.write(out);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        paired = in.readBoolean();
        first.readFields(in);
        if (paired) {
            second.readFields(in);
        }
    }
}
