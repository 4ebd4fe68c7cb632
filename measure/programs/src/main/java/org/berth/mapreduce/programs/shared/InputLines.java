package org.berth.mapreduce.programs.shared;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.util.LineReader;

/**
 * Lines of all files that Hadoop's input formats find at a path, read by the client in the order of the files' names; compressed ones,
 * too. For one thread.
 */
public final class InputLines implements Closeable {
    private final Configuration conf;
    private final Deque<Path> files = new ArrayDeque<>();
    private Optional<LineReader> lines = Optional.empty();

    /** Finds the files. */
    public InputLines(Configuration conf, Path in) throws IOException {
        this.conf = conf;
        FileSystem fs = in.getFileSystem(conf);
        for (FileStatus found : fs.globStatus(in)) {
            FileStatus[] inside = found.isDirectory() ? fs.listStatus(found.getPath()) : new FileStatus[] {found};
            Arrays.stream(inside)
                    .filter(FileStatus::isFile)
                    .map(FileStatus::getPath)
                    .filter(path ->
                            !path.getName().startsWith("_") && !path.getName().startsWith("."))
                    .sorted()
                    .forEach(files::add);
        }
    }

    /** Reads the next line; false after the last one. */
    public boolean next(Text line) throws IOException {
        while (lines.isPresent() || !files.isEmpty()) {
            if (lines.isEmpty()) {
                lines = Optional.of(open(files.remove()));
            }
            if (lines.get().readLine(line) > 0) {
                return true;
            }
            close();
        }
        return false;
    }

    private LineReader open(Path file) throws IOException {
        CompressionCodec codec = new CompressionCodecFactory(conf).getCodec(file);
        FSDataInputStream in = file.getFileSystem(conf).open(file);
        return new LineReader(codec == null ? in : codec.createInputStream(in), conf);
    }

    @Override
    public void close() throws IOException {
        if (lines.isPresent()) {
            lines.get().close();
            lines = Optional.empty();
        }
    }
}
