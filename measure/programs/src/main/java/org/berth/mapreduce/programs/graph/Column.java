package org.berth.mapreduce.programs.graph;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MapContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.util.LineReader;

/**
 * Values of nodes, as {@code NODE TAB VALUE}, read along with the file of the graph that the map reads: the file of the same name in
 * another folder. For one thread.
 */
public final class Column implements Closeable {
    private final LineReader lines;
    private final Path file;
    private final Text line = new Text();
    private final Text value = new Text();

    private Column(LineReader lines, Path file) {
        this.lines = lines;
        this.file = file;
    }

    /** Names the folder for the maps of the job. */
    public static void set(Job job, String property, Path folder) {
        job.getConfiguration().set(property, folder.toString());
    }

    /** Opens the file next to that of the map; nothing when the job names no folder. */
    public static Optional<Column> open(MapContext<?, ?, ?, ?> context, String property) throws IOException {
        Configuration conf = context.getConfiguration();
        String folder = conf.get(property);
        if (folder == null) {
            return Optional.empty();
        }
        String part = ((FileSplit) context.getInputSplit()).getPath().getName();
        Path file = new Path(folder, part);
        return Optional.of(new Column(new LineReader(file.getFileSystem(conf).open(file), conf), file));
    }

    /** The value of the next node, until the next call; another node than that one is a failure. */
    public Text next(Text node) throws IOException {
        lines.readLine(line);
        int end = node.getLength();
        if (line.getLength() <= end
                || line.getBytes()[end] != '\t'
                || Text.Comparator.compareBytes(line.getBytes(), 0, end, node.getBytes(), 0, end) != 0) {
            throw new IOException(file + ": '" + line + "' where node '" + node + "' should be");
        }
        value.set(line.getBytes(), end + 1, line.getLength() - end - 1);
        return value;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
