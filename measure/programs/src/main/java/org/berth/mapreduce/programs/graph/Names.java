package org.berth.mapreduce.programs.graph;

import org.apache.hadoop.io.Text;

/** The names in a line, between spaces, tabs and commas, read one after the other without a copy of the line. For one thread. */
public final class Names {
    private byte[] bytes = {};
    private int end;
    private int at;

    /** Begins with another line of a graph; one that begins with # has no names. */
    void readLine(Text line) {
        read(line);
        if (end > 0 && bytes[0] == '#') {
            end = 0;
        }
    }

    /** Begins with another list of names, which must not change until its last name was read. */
    public void read(Text line) {
        bytes = line.getBytes();
        end = line.getLength();
        at = 0;
    }

    /** Sets the name to the next one; false after the last. */
    public boolean next(Text name) {
        while (at < end && isSeparator(bytes[at])) {
            at++;
        }
        int begin = at;
        while (at < end && !isSeparator(bytes[at])) {
            at++;
        }
        name.set(bytes, begin, at - begin);
        return at > begin;
    }

    private static boolean isSeparator(byte character) {
        return character == ' ' || character == '\t' || character == ',' || character == '\r';
    }
}
