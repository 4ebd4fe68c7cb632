package org.berth.mapreduce.programs.text;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.berth.mapreduce.programs.shared.Hash;

/** Lines made of two: words at the beginning of one line, and words at the end of another. For one thread. */
final class MixedLines {
    /** The lines that are kept; enough for lines that differ, few enough for any heap. */
    private static final long MOST_BYTES = 64L << 20;

    private final List<byte[]> lines = new ArrayList<>();
    private long keptBytes;
    private long state;

    MixedLines(long seed) {
        state = seed;
    }

    /** Keeps a line, unless it is blank or there are enough. */
    void add(Text line) {
        if (line.getLength() > 0 && keptBytes < MOST_BYTES) {
            lines.add(line.copyBytes());
            keptBytes += line.getLength();
        }
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** The next line, which is not blank. */
    void next(Text line) {
        line.clear();
        while (line.getLength() == 0) {
            byte[] first = lines.get(below(lines.size()));
            line.append(first, 0, cut(first));
            byte[] second = lines.get(below(lines.size()));
            int from = cut(second);
            line.append(second, from, second.length - from);
        }
    }

    /** A place between two words, or the end. */
    private int cut(byte[] line) {
        int at = below(line.length + 1);
        while (at < line.length && line[at] != ' ') {
            at++;
        }
        return at;
    }

    private int below(int bound) {
        state = Hash.mix(state, bound);
        return (int) Long.remainderUnsigned(state, bound);
    }
}
