package org.berth.mapreduce.programs.shared;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** Files of lines in one folder, each with some of the copies of an input, so that a job has several maps. For one thread. */
public final class CopyFiles implements Closeable {
    private static final byte[] END = {'\n'};
    private static final int MOST = 16;

    private final List<FSDataOutputStream> files = new ArrayList<>();

    /** Makes the folder, with a file for each copy, up to sixteen. */
    public CopyFiles(Configuration conf, Path folder, int copies) throws IOException {
        for (int i = 0; i < Math.min(copies, MOST); i++) {
            Path file = new Path(folder, String.format(Locale.ROOT, "part-%05d", i));
            files.add(file.getFileSystem(conf).create(file));
        }
    }

    /** Writes a line of a copy. */
    public void write(int copy, Text line) throws IOException {
        FSDataOutputStream file = files.get(copy % files.size());
        file.write(line.getBytes(), 0, line.getLength());
        file.write(END);
    }

    @Override
    public void close() throws IOException {
        for (FSDataOutputStream file : files) {
            file.close();
        }
    }
}
