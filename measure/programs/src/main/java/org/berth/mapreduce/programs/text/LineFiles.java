package org.berth.mapreduce.programs.text;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;

/** SequenceFiles in one folder that share the lines of a text, so that a job has several maps. For one thread. */
final class LineFiles implements Closeable {
    private static final int MOST = 16;
    /** A smaller file is not worth a map of its own. */
    private static final long LEAST_BYTES = 4L << 20;

    private final List<SequenceFile.Writer> files = new ArrayList<>();
    private long bytes;
    private long lines;

    /** Makes the folder, with a file for each 4 MB of the expected size, up to sixteen. */
    LineFiles(Configuration conf, Path folder, long expectedBytes) throws IOException {
        for (int i = 0; i < Math.max(1, Math.min(MOST, expectedBytes / LEAST_BYTES)); i++) {
            files.add(SequenceFile.createWriter(
                    conf,
                    SequenceFile.Writer.file(new Path(folder, String.format(Locale.ROOT, "part-%05d", i))),
                    SequenceFile.Writer.keyClass(Text.class),
                    SequenceFile.Writer.valueClass(NullWritable.class),
                    SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE)));
        }
    }

    /** Writes a line to the next file. */
    void write(Text line) throws IOException {
        files.get((int) (lines % files.size())).append(line, NullWritable.get());
        bytes += line.getLength() + 1;
        lines++;
    }

    /** The size of the lines as text, each with its end. */
    long bytes() {
        return bytes;
    }

    @Override
    public void close() throws IOException {
        for (SequenceFile.Writer file : files) {
            file.close();
        }
    }
}
