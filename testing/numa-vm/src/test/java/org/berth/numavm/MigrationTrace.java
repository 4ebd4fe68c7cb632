package org.berth.numavm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every migration of a thread, as the kernel itself records it (the event {@code sched:sched_migrate_task} of tracefs): samples
 * could miss one. For one user at a time, because it uses the kernel's main buffer.
 */
public final class MigrationTrace implements AutoCloseable {
    private static final Path TRACEFS = Path.of("/sys/kernel/tracing");
    private static final Path EVENT = TRACEFS.resolve("events/sched/sched_migrate_task");

    private static final Pattern LINE = Pattern.compile(
            "(?m)sched_migrate_task: comm=(.*) pid=(\\d+) prio=-?\\d+ orig_cpu=(\\d+) dest_cpu=(\\d+)$");

    private static final Pattern LOST = Pattern.compile("(?m)^(?:overrun|dropped events): (\\d+)$");

    /**
     * A migration.
     *
     * @param name the thread's name in the kernel, at most 15 bytes
     * @param from the CPU that it leaves
     * @param to the CPU that it goes to
     */
    public record Migration(String name, int tid, int from, int to) {}

    private MigrationTrace() {}

    /** Records from now on. */
    public static MigrationTrace start() throws IOException, InterruptedException {
        if (!Files.exists(EVENT)) {
            Process mount = new ProcessBuilder("mount", "-t", "tracefs", "tracefs", TRACEFS.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            assertThat(mount.waitFor()).as("exit code of mount").isEqualTo(0);
        }
        MigrationTrace trace = new MigrationTrace();
        write("buffer_size_kb", "4096");
        trace.clear();
        write(TRACEFS.relativize(EVENT) + "/enable", "1");
        write("tracing_on", "1");
        return trace;
    }

    /** Forgets what was recorded. */
    public void clear() throws IOException {
        // Opened to be truncated, the file empties the buffer.
        Files.writeString(TRACEFS.resolve("trace"), "");
    }

    /** Returns what was recorded since the last {@link #clear}; an error when the kernel's buffer lost any of it. */
    public List<Migration> read() throws IOException {
        List<Migration> found = new ArrayList<>();
        Matcher line = LINE.matcher(Files.readString(TRACEFS.resolve("trace"), StandardCharsets.ISO_8859_1));
        while (line.find()) {
            found.add(new Migration(
                    line.group(1),
                    Integer.parseInt(line.group(2)),
                    Integer.parseInt(line.group(3)),
                    Integer.parseInt(line.group(4))));
        }
        try (Stream<Path> cpus = Files.list(TRACEFS.resolve("per_cpu"))) {
            for (Path cpu : cpus.toList()) {
                Matcher lost = LOST.matcher(Files.readString(cpu.resolve("stats")));
                while (lost.find()) {
                    assertThat(lost.group(1))
                            .as("events that the buffer of " + cpu.getFileName() + " lost")
                            .isEqualTo("0");
                }
            }
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        write(TRACEFS.relativize(EVENT) + "/enable", "0");
    }

    private static void write(String file, String value) throws IOException {
        Files.writeString(TRACEFS.resolve(file), value);
    }
}
