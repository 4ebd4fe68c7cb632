package org.berth.observation;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads {@code /proc/stat}, which stays open.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_stat.5.html">proc_stat(5)</a>
 * @since 0.1.0
 */
public final class CpuTimesReader implements AutoCloseable {
    private final Path path;
    private final ProcFile stat;
    private final ReadBuffer buffer = new ReadBuffer();
    private boolean closed;

    private CpuTimesReader(Path root) {
        this.path = root.resolve("proc/stat");
        this.stat = new ProcFile(path.toString(), true);
    }

    /** For this machine. */
    public static CpuTimesReader ofThisMachine() {
        return of(Path.of("/"));
    }

    /** For another root of {@code proc/stat}. */
    public static CpuTimesReader of(Path root) {
        return new CpuTimesReader(root);
    }

    /**
     * How long each CPU was busy until now.
     *
     * @throws ObservationException when the file cannot be read
     * @throws IllegalStateException when this reader is closed
     */
    public CpuTimes read() {
        if (closed) {
            throw new IllegalStateException("the reader of " + path + " is closed");
        }
        try {
            int length = stat.read(buffer);
            return CpuTimes.parse(buffer.bytes(), length);
        } catch (IOException unreadable) {
            throw new ObservationException(
                    "cannot see how busy the CPUs are: " + path + " cannot be read (" + unreadable.getMessage()
                            + "); mount /proc",
                    unreadable);
        }
    }

    @Override
    public void close() {
        closed = true;
        stat.close();
    }
}
