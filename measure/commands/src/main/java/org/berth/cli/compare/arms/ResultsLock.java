package org.berth.cli.compare.arms;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;

/**
 * The right to write into a folder of results, which one process has at a time: two comparisons in one folder would mix their logs. The
 * kernel gives it back when the process ends, however it ends.
 */
final class ResultsLock implements Closeable {
    static final String FILE = ".lock";

    private final FileChannel channel;
    private final Path file;
    private final boolean made;

    private ResultsLock(FileChannel channel, Path file, boolean made) {
        this.channel = channel;
        this.file = file;
        this.made = made;
    }

    /**
     * Takes the lock of a folder that exists; a failure when another comparison has it.
     *
     * @param err for a note where the file system knows no locks
     */
    static ResultsLock take(Path folder, PrintWriter err) {
        Path file = folder.resolve(FILE);
        boolean made = Files.notExists(file);
        FileChannel channel = open(folder);
        boolean other = false;
        try {
            // Closing the channel gives it back.
            other = channel.tryLock() == null;
        } catch (OverlappingFileLockException ofThisProcess) {
            other = true;
        } catch (IOException e) {
            err.println("note: cannot lock " + file + " (" + IoErrors.reason(e)
                    + "); start no other comparison in this folder");
        }
        if (other) {
            close(channel);
            throw CommandException.failure(
                    "the folder for results " + folder
                            + " is in use: another comparison writes into it; wait until it has ended, or give another --results");
        }
        ResultsLock lock = new ResultsLock(channel, file, made);
        if (Files.notExists(file)) {
            // A refused comparison has removed it in between.
            lock.close();
            return take(folder, err);
        }
        return lock;
    }

    private static FileChannel open(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            return FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw CommandException.failure(
                    "cannot write into the folder for results " + folder + ": " + IoErrors.reason(e)
                            + "; give another --results",
                    e);
        }
    }

    /** Closes it, and leaves no file of this process: nothing was run. */
    void discard() {
        try {
            if (made) {
                Files.deleteIfExists(file);
            }
        } catch (IOException stays) {
            // The reason why nothing was run is what the user must see.
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException nothingIsWritten) {
            // Closing gives the lock back in any case.
        }
    }
}
