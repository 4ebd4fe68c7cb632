package org.berth.mapreduce.programs.components;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/** A label that a node has, or one that a neighbour offers. */
final class Label implements Writable {
    private final Text name = new Text();
    private boolean own;

    void set(Text label, boolean ofTheNode) {
        name.set(label);
        own = ofTheNode;
    }

    Text name() {
        return name;
    }

    /** Whether the node has it already. */
    boolean isOwn() {
        return own;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeBoolean(own);
        name.write(out);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        own = in.readBoolean();
        name.readFields(in);
    }
}
