package org.berth.mapreduce.programs.reads;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/**
 * One read: its name, its bases and the quality of each base. A read of a FASTA file has no qualities. Hadoop fills the same object
 * again and again, so keep a copy of what you need.
 */
public final class Read implements Writable {
    /** Quality 0 in the form of FASTQ that is in use since 2011 ("Phred+33"). */
    public static final int QUALITY_ZERO = '!';

    private static final byte[] NEXT_LINE = {'\n'};
    private static final byte[] SEPARATOR = {'\n', '+', '\n'};

    private final Text name = new Text();
    private final Text bases = new Text();
    private final Text qualities = new Text();
    private boolean withQualities;

    /** The line of the name, without its first character. */
    public Text name() {
        return name;
    }

    /** Bases as letters. */
    public Text bases() {
        return bases;
    }

    /** One letter for each base, or nothing for a read of a FASTA file. */
    public Text qualities() {
        return qualities;
    }

    /** Number of bases. */
    public int length() {
        return bases.getLength();
    }

    /** True for a read of a FASTQ file. */
    public boolean hasQualities() {
        return withQualities;
    }

    void hasQualities(boolean value) {
        withQualities = value;
    }

    /** Quality of a base (Phred), 0 in a read without qualities. */
    public int quality(int position) {
        return withQualities ? Math.max(0, qualities.getBytes()[position] - QUALITY_ZERO) : 0;
    }

    /** Length of the name that both reads of a pair share: up to the first blank, without a number of the mate (/1, /2). */
    public int sharedNameLength() {
        byte[] bytes = name.getBytes();
        int length = 0;
        while (length < name.getLength() && bytes[length] != ' ' && bytes[length] != '\t') {
            length++;
        }
        boolean numbered =
                length > 2 && bytes[length - 2] == '/' && (bytes[length - 1] == '1' || bytes[length - 1] == '2');
        return numbered ? length - 2 : length;
    }

    /** Takes over another read. */
    public void set(Read other) {
        name.set(other.name);
        bases.set(other.bases);
        qualities.set(other.qualities);
        withQualities = other.withQualities;
    }

    /** Sets the text to the record of FASTQ, or of FASTA for a read without qualities, without the end of its last line. */
    public void format(Text record) {
        record.clear();
        record.append(new byte[] {(byte) (withQualities ? '@' : '>')}, 0, 1);
        record.append(name.getBytes(), 0, name.getLength());
        record.append(NEXT_LINE, 0, NEXT_LINE.length);
        record.append(bases.getBytes(), 0, bases.getLength());
        if (withQualities) {
            record.append(SEPARATOR, 0, SEPARATOR.length);
            record.append(qualities.getBytes(), 0, qualities.getLength());
        }
    }

    @Override
    public void write(DataOutput out) throws IOException {
        name.write(out);
        bases.write(out);
        out.writeBoolean(withQualities);
        qualities.write(out);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        name.readFields(in);
        bases.readFields(in);
        withQualities = in.readBoolean();
        qualities.readFields(in);
    }
}
