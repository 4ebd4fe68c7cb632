package org.berth.experiments.trial;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.observation.internal.process.CallerEnvironment;

/** Runs a shell command next to a run, under the same time limit. What it leaves running, such as a server, goes on. */
public final class HookProcess {
    /** What an interrupt, such as by ^C, does to a command. */
    public enum Stop {
        /** It ends the command with its children. */
        ENDS_IT,
        /** It waits for the end of the command, which does not see the ^C. */
        WAITS
    }

    /** A ^C is for all processes of a terminal. A shell and what it starts ignore it when the shell begins with that. */
    private static final String UNSTOPPABLE = "trap '' INT QUIT\n";

    private HookProcess() {}

    /**
     * Runs a command to its end.
     *
     * @param environment variables added to those of the caller
     * @param log for its output; removed when there is none
     * @return why it failed; empty when it ended with exit code 0
     * @throws InterruptedException when this thread was interrupted and the command and its children have been ended
     */
    public static Optional<String> run(
            String command, Map<String, String> environment, Path log, Duration timeout, Stop stop)
            throws InterruptedException {
        ProcessEnd processEnd = new ProcessEnd();
        try {
            String words = stop == Stop.WAITS ? UNSTOPPABLE + command : command;
            ProcessBuilder builder = CallerEnvironment.restore(new ProcessBuilder("sh", "-c", words))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .redirectInput(new File("/dev/null"));
            builder.environment().putAll(environment);
            processEnd.mark(builder);
            Process process = builder.start();
            boolean ended = false;
            try {
                ended = stop == Stop.WAITS
                        ? waitFor(process, timeout)
                        : process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                if (!ended) {
                    processEnd.end(List.of(process.toHandle()), false);
                }
            }
            String see = ", see " + log;
            if (!ended) {
                return Optional.of("took longer than " + timeout.toMillis() / 1000.0 + " s and was ended" + see);
            }
            if (process.exitValue() != 0) {
                return Optional.of("ended with exit code " + process.exitValue() + see);
            }
            if (Files.size(log) == 0) {
                Files.delete(log);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("could not be started: " + e.getMessage());
        }
    }

    /** Waits on after an interrupt; the thread is interrupted at the end then. */
    private static boolean waitFor(Process process, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
