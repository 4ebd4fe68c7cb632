package org.berth.observation.internal.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ProcessStatus;

/**
 * The folder in which the kernel shows the memory of a process. Its first thread may end before others: files of {@code
 * /proc/PID} about memory are then empty, and those of {@code /proc/PID/task/TID} are not.
 */
public final class LivingThread {
    private LivingThread() {}

    /**
     * The folder of the process, or of a living thread when the first has ended.
     *
     * @throws NoSuchProcessException when all have ended, and the parent has not fetched the exit code
     */
    public static Path of(long pid, Path process) {
        if (!hasEnded(process)) {
            return process;
        }
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                if (!hasEnded(task)) {
                    return task;
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            throw new NoSuchProcessException(pid, "it has ended");
        }
        throw new NoSuchProcessException(pid, "it has ended, and its parent has not fetched its exit code (a zombie)");
    }

    private static boolean hasEnded(Path task) {
        try {
            return ProcessStatus.of(task).hasEnded();
        } catch (IOException unreadable) {
            return false;
        }
    }
}
