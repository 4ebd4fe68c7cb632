package org.berth.observation.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.ProcFile;
import org.berth.observation.internal.ReadBuffer;

/**
 * The program and the arguments of a process, as the kernel shows it. Thread-safe: it has no state.
 *
 * <p>Read in one system call. The kernel looks for the process' memory anew at every read, and {@code
 * Files.readString} begins with one byte where a file says that its size is 0: while {@code bash} became {@code sleep},
 * 400 processes in a row gave 288 texts such as {@code "b"}, {@code "s"} and {@code "bleep 0.003"}; one call gave none.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_cmdline.5.html">proc_pid_cmdline(5)</a>
 * @since 0.1.0
 */
public final class ProcessArguments {
    private ProcessArguments() {}

    /**
     * The program and its arguments.
     *
     * @param pid number of the process in this process' PID namespace
     * @return as the process shows them; none while a program is being replaced, in a zombie and in a kernel thread
     * @throws IOException when there is no such process, or it ended meanwhile
     */
    public static List<String> of(long pid) throws IOException {
        return of(Path.of("/proc", Long.toString(pid)));
    }

    /** The same; absent when there is no such process, refused when it may not be seen. */
    public static Reading<List<String>> read(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            return Reading.of(of(process));
        } catch (IOException unreadable) {
            return NoSuchProcessException.isAbsent(process)
                    ? Reading.absent("there is no process " + pid)
                    : Reading.refused(Refusal.of(process.resolve("cmdline"), process));
        }
    }

    static List<String> of(Path process) throws IOException {
        ReadBuffer buffer = new ReadBuffer();
        try (ProcFile file = new ProcFile(process.resolve("cmdline").toString(), false)) {
            int length = file.read(buffer);
            String text = new String(buffer.bytes(), 0, length, StandardCharsets.UTF_8);
            return text.isEmpty() ? List.of() : List.of(text.split("\0", 0));
        }
    }
}
