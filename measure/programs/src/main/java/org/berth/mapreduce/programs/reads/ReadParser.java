package org.berth.mapreduce.programs.reads;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;

/**
 * Reads of a FASTQ file (four lines for each) or a FASTA file (a name and any number of lines), in their order. Lines end with LF or
 * CR LF; empty lines between records are skipped.
 */
final class ReadParser implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final LineReader lines;
    private final String file;
    private final Text line = new Text();
    private long position;
    private long lineStart;
    private boolean pending;

    /**
     * Begins at the start of a record.
     *
     * @param start offset of the stream's first byte in the file
     * @param file name of the file, for messages
     */
    ReadParser(InputStream in, long start, String file) {
        this.lines = new LineReader(in, BUFFER_BYTES);
        this.position = start;
        this.file = file;
    }

    /** Offset of the next record, or of the end. */
    long position() throws IOException {
        peek();
        return pending ? lineStart : position;
    }

    /** Reads the next record; false at the end of the file. */
    boolean next(Read read) throws IOException {
        if (!peek()) {
            return false;
        }
        long start = lineStart;
        char kind = (char) line.getBytes()[0];
        if (kind != '@' && kind != '>') {
            throw error(start, "a record begins with @ (FASTQ) or > (FASTA)");
        }
        read.name().set(line.getBytes(), 1, line.getLength() - 1);
        read.bases().clear();
        read.qualities().clear();
        read.hasQualities(kind == '@');
        pending = false;
        if (kind == '@') {
            fastq(start, read);
        } else {
            while (peek() && line.getBytes()[0] != '>') {
                read.bases().append(line.getBytes(), 0, line.getLength());
                pending = false;
            }
        }
        return true;
    }

    private void fastq(long start, Read read) throws IOException {
        readLine(start, read.bases());
        readLine(start, line);
        if (line.getLength() == 0 || line.getBytes()[0] != '+') {
            throw error(start, "the third of its four lines does not begin with +");
        }
        readLine(start, read.qualities());
        if (read.qualities().getLength() != read.length()) {
            throw error(start, read.length() + " bases have " + read.qualities().getLength() + " qualities");
        }
    }

    private void readLine(long start, Text text) throws IOException {
        int bytes = lines.readLine(text);
        if (bytes == 0) {
            throw error(start, "the file ends within the record");
        }
        position += bytes;
    }

    /** Goes to the next line that is not empty. */
    private boolean peek() throws IOException {
        while (!pending) {
            lineStart = position;
            int bytes = lines.readLine(line);
            if (bytes == 0) {
                return false;
            }
            position += bytes;
            pending = line.getLength() > 0;
        }
        return true;
    }

    private IOException error(long start, String reason) {
        return new IOException(file + ", record at byte " + start + ": " + reason);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
