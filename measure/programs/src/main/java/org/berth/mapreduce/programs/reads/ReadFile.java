package org.berth.mapreduce.programs.reads;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.util.LineReader;
import org.jspecify.annotations.Nullable;

/**
 * A FASTQ or FASTA file, compressed or not.
 *
 * @param codec null for a file that is not compressed
 */
record ReadFile(FileSystem fileSystem, Path path, @Nullable CompressionCodec codec) {
    private static final int SMALLEST_WINDOW = 1 << 16;

    static ReadFile of(Configuration conf, Path path) throws IOException {
        return new ReadFile(path.getFileSystem(conf), path, new CompressionCodecFactory(conf).getCodec(path));
    }

    /** Whether reading can begin anywhere. */
    boolean splittable() {
        return codec == null;
    }

    /** Begins with the first record that starts at this offset or behind it. */
    ReadParser open(long offset) throws IOException {
        FSDataInputStream in = fileSystem.open(path);
        try {
            long start = offset == 0 ? 0 : recordAt(in, offset);
            in.seek(start);
            InputStream bytes = codec == null ? in : codec.createInputStream(in);
            return new ReadParser(bytes, start, path.toString());
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /**
     * Begins with the record of this name: it is looked for near an offset first, then farther and farther away.
     *
     * @throws IOException if there is no such record
     */
    ReadParser openAt(Read wanted, long guess) throws IOException {
        long length = fileSystem.getFileStatus(path).getLen();
        for (long window = SMALLEST_WINDOW; ; window *= 2) {
            long from = Math.max(0, guess - window);
            long to = Math.min(length, guess + window);
            long found = find(wanted, from, to);
            if (found >= 0) {
                return open(found);
            }
            if (from == 0 && to == length) {
                throw new IOException(path + " has no read with the name of its mate, "
                        + Text.decode(wanted.name().getBytes(), 0, wanted.sharedNameLength()));
            }
        }
    }

    private long find(Read wanted, long from, long to) throws IOException {
        Read read = new Read();
        try (ReadParser parser = open(from)) {
            for (long at = parser.position(); at < to; at = parser.position()) {
                if (!parser.next(read)) {
                    return -1;
                }
                if (sameFragment(wanted, read)) {
                    return at;
                }
            }
        }
        return -1;
    }

    static boolean sameFragment(Read one, Read other) {
        int length = one.sharedNameLength();
        return length == other.sharedNameLength()
                && WritableComparator.compareBytes(
                                one.name().getBytes(), 0, length, other.name().getBytes(), 0, length)
                        == 0;
    }

    /**
     * The first record from an offset on. A line of qualities may begin with @ or >, too. In FASTQ a line that begins with @ is a name
     * if and only if the second line behind it begins with +: behind qualities that would be the bases.
     */
    private long recordAt(FSDataInputStream in, long offset) throws IOException {
        boolean fasta = firstByte(in) == '>';
        // The byte before tells whether a line begins here.
        in.seek(offset - 1);
        LineReader lines = new LineReader(in);
        Text line = new Text();
        long position = offset - 1 + lines.readLine(line);
        int before = 0;
        int last = 0;
        long startBefore = 0;
        long startLast = 0;
        for (int bytes = lines.readLine(line); bytes > 0; bytes = lines.readLine(line)) {
            int first = line.getLength() == 0 ? 0 : line.getBytes()[0];
            if (fasta && first == '>') {
                return position;
            }
            if (!fasta && first == '+' && before == '@') {
                return startBefore;
            }
            before = last;
            startBefore = startLast;
            last = first;
            startLast = position;
            position += bytes;
        }
        return position;
    }

    private static int firstByte(FSDataInputStream in) throws IOException {
        in.seek(0);
        int first = in.read();
        while (first == '\n' || first == '\r') {
            first = in.read();
        }
        return first;
    }
}
