package org.berth.mapreduce.programs.shared;

import java.io.IOException;
import org.apache.commons.cli.Option;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;

/**
 * The folder of what only later jobs of the same program read, {@code OUT.work} unless {@code --work} names another; closing it
 * removes it. It may be on another file system than the output, such as tmpfs. For one thread.
 */
public final class WorkFolder implements AutoCloseable {
    private static final String OPTION = "work";

    private final FileSystem fs;
    private final Path folder;
    private final Configuration conf;

    private WorkFolder(FileSystem fs, Path folder, Configuration conf) {
        this.fs = fs;
        this.folder = folder;
        this.conf = conf;
    }

    /** The option that names it. */
    public static Option option() {
        return Program.option(
                OPTION, "FOLDER", "folder for intermediate results, which is removed at the end; default: OUT.work");
    }

    /** Makes the folder; one that exists is a {@link UsageException}, since all in it would be removed. */
    public static WorkFolder make(CommandWords words, Path output, Configuration conf) throws IOException {
        Path folder = words.text(OPTION).map(Path::new).orElseGet(() -> output.suffix(".work"));
        FileSystem fs = folder.getFileSystem(conf);
        if (fs.exists(folder)) {
            throw new UsageException(
                    folder + " exists: remove what another run has left, or name another folder with --" + OPTION);
        }
        fs.mkdirs(folder);
        return new WorkFolder(fs, folder, conf);
    }

    /** A path in the folder. */
    public Path path(String name) {
        return new Path(folder, name);
    }

    /** Removes what is no longer needed. */
    public void remove(Path path) throws IOException {
        fs.delete(path, true);
    }

    /** Makes one of the folder's results the output. */
    public void move(Path result, Path output) throws IOException {
        FileSystem target = output.getFileSystem(conf);
        boolean moved =
                target.equals(fs) ? fs.rename(result, output) : FileUtil.copy(fs, result, target, output, true, conf);
        if (!moved) {
            throw new IOException("cannot move " + result + " to " + output);
        }
    }

    @Override
    public void close() throws IOException {
        fs.delete(folder, true);
    }
}
