package org.berth.observation.internal.jvm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.process.ProcessFacts;

/**
 * Whether Berth's agent has bound a JVM before it started. The agent, or {@code berth run} in its place, leaves PID and start time in
 * the environment of the JVM (reexec.h); children inherit the variable, and have another PID. Thread-safe: it has no state.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html">proc_pid_environ(5)</a>
 * @since 0.1.0
 */
public final class AgentMark {
    private static final String VARIABLE = "BERTH_AGENT_PID";

    private AgentMark() {}

    /**
     * Whether the process has the mark; refused when it is another user's.
     *
     * @param root the folder with {@code proc} in it
     */
    public static Reading<Boolean> of(ProcessFacts process, Path root) {
        Path folder = root.resolve("proc").resolve(Long.toString(process.pid()));
        Path file = folder.resolve("environ");
        try {
            String environment = "\0" + Files.readString(file, StandardCharsets.ISO_8859_1);
            // The agent has written the id that the JVM has in its own PID namespace.
            int inner = process.innerIds().getOrDefault((int) process.pid(), (int) process.pid());
            return Reading.of(environment.contains("\0" + VARIABLE + "=" + inner + ":" + process.startTime() + ":"));
        } catch (NoSuchFileException ended) {
            return Reading.absent("there is no process " + process.pid());
        } catch (IOException unreadable) {
            return Reading.refused(Refusal.of(file, folder));
        }
    }
}
