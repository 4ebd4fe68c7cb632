package org.berth.mapreduce.programs.reads;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** A part of a file of reads, with the number of the file. */
final class ReadSplit extends FileSplit {
    private int file;

    /** For Hadoop, which then calls readFields. */
    ReadSplit() {}

    ReadSplit(FileSplit split, int file) throws IOException {
        super(split.getPath(), split.getStart(), split.getLength(), split.getLocations());
        this.file = file;
    }

    int file() {
        return file;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        super.write(out);
        out.writeInt(file);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        super.readFields(in);
        file = in.readInt();
    }
}
