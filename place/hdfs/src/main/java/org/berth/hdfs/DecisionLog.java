package org.berth.hdfs;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalInt;
import org.berth.placement.internal.dynamic.AffinityClass;
import org.berth.placement.internal.dynamic.Decision;

/**
 * A file with one line for each decision, on request: time in ms, kernel's thread id, CPUs, class of the core, work, volume, device,
 * name of the thread, CPU that handles the packets of its connection or "-"; separated by tabs. Thread-safe.
 *
 * <p>A line takes longer than the decision, so it is for finding out, not for always.
 */
final class DecisionLog implements AutoCloseable {
    /** The policy chose no core in particular. */
    static final String NO_CORE = "-";

    private final Writer lines;

    private DecisionLog(Writer lines) {
        this.lines = lines;
    }

    /**
     * Appends to a file, or makes it.
     *
     * @throws IllegalArgumentException one line, when that cannot be done
     */
    static DecisionLog open(String file) {
        try {
            return new DecisionLog(
                    Files.newBufferedWriter(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    HdfsSettings.DECISION_LOG + ": cannot write " + file + ": " + e + "; give another file", e);
        }
    }

    synchronized void add(
            int tid, Decision decision, BlockWork work, Disk disk, String threadName, OptionalInt connectionCpu)
            throws IOException {
        lines.write(String.join(
                "\t",
                Long.toString(System.currentTimeMillis()),
                Integer.toString(tid),
                decision.cpus().toString(),
                decision.chosen().map(AffinityClass::label).orElse(NO_CORE),
                work.word(),
                disk.volume(),
                disk.device(),
                threadName.replace('\t', ' ').replace('\n', ' '),
                connectionCpu.isPresent() ? Integer.toString(connectionCpu.getAsInt()) : NO_CORE));
        lines.write('\n');
        lines.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        lines.close();
    }
}
