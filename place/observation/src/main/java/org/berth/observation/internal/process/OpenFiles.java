package org.berth.observation.internal.process;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;

/**
 * The open files of a process, from the links in {@code /proc/PID/fd}. A JVM keeps those jars of its class path open
 * that it has read.
 *
 * <p><b>Thread safety</b>: any thread may ask.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html">proc_pid_fd(5)</a>
 * @since 0.1.0
 */
public final class OpenFiles {
    private OpenFiles() {}

    /**
     * Paths, and the kernel's words for what has none ("socket:[4711]"); sorted.
     *
     * @param root the folder with {@code proc} in it
     * @return refused when the process is another user's, whose files only root may see
     */
    public static Reading<List<String>> of(long pid, Path root) {
        List<String> files = new ArrayList<>();
        try (DirectoryStream<Path> links = Files.newDirectoryStream(root.resolve("proc/" + pid + "/fd"))) {
            for (Path link : links) {
                read(link, files);
            }
        } catch (NoSuchFileException ended) {
            return Reading.absent("there is no process " + pid);
        } catch (IOException | DirectoryIteratorException unreadable) {
            Path process = root.resolve("proc/" + pid);
            return Reading.refused(Refusal.of(process.resolve("fd"), process));
        }
        files.sort(null);
        return Reading.of(List.copyOf(files));
    }

    /** One that is closed meanwhile is none. */
    private static void read(Path link, List<String> files) throws AccessDeniedException {
        try {
            files.add(Files.readSymbolicLink(link).toString());
        } catch (AccessDeniedException refused) {
            // Who may list them may still not see which they are.
            throw refused;
        } catch (IOException closed) {
            // The next one then.
        }
    }
}
