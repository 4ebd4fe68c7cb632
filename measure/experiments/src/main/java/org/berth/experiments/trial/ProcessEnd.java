package org.berth.experiments.trial;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Ends a command together with all that it started: first asked (SIGTERM), then forced (SIGKILL).
 *
 * <p>A process that starts a child at the moment of its own end leaves an orphan whose parent is no longer known, and
 * so does one that makes itself a daemon. Both still carry the environment that they were born with, so the command
 * gets a variable of its own there, by which they are found.
 */
final class ProcessEnd {
    private static final String VARIABLE = "BERTH_TRIAL";
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final int FORCED_ROUNDS = 10;

    private final String marker = UUID.randomUUID().toString();

    /** Marks the environment of the command; called before it is started. */
    void mark(ProcessBuilder builder) {
        builder.environment().put(VARIABLE, marker);
    }

    /**
     * Ends what is left of the command; the number of processes. Not cut short by an interrupt: a child that lives on
     * would disturb whatever comes next.
     *
     * @param known processes that are known to belong to it, ended ones included
     * @param patient whether they first get a moment to end on their own, like the last ones of a command that has
     * ended
     */
    int end(Collection<ProcessHandle> known, boolean patient) {
        List<ProcessHandle> running = running(known);
        boolean interrupted = patient && waitFor(running, PATIENCE);
        running = running(known);
        int count = running.size();
        running.forEach(ProcessHandle::destroy);
        interrupted |= waitFor(running, GRACE);
        running = running(known);
        for (int i = 0; i < FORCED_ROUNDS && !running.isEmpty(); i++) {
            running.forEach(ProcessHandle::destroyForcibly);
            interrupted |= waitFor(running, GRACE);
            running = running(known);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return count;
    }

    private List<ProcessHandle> running(Collection<ProcessHandle> known) {
        List<ProcessHandle> all = new ArrayList<>(known);
        ProcessHandle.allProcesses().filter(this::isMarked).forEach(all::add);
        known.forEach(process -> process.descendants().forEach(all::add));
        return all.stream().filter(ProcessEnd::isRunning).distinct().toList();
    }

    private boolean isMarked(ProcessHandle process) {
        String environment = proc(process, "environ");
        long deadline = System.nanoTime() + GRACE.toNanos();
        while (environment.isEmpty() && isBetweenPrograms(process) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            environment = proc(process, "environ");
        }
        return environment.contains(VARIABLE + "=" + marker);
    }

    /**
     * The kernel shows neither arguments nor environment of a process that is just becoming another program. Neither
     * has one of the kernel's own threads, nor what has ended; but these have no program either.
     */
    private static boolean isBetweenPrograms(ProcessHandle process) {
        return proc(process, "cmdline").isEmpty()
                && Files.exists(Path.of("/proc", Long.toString(process.pid()), "exe"));
    }

    /**
     * Ended processes whose parent does not fetch their exit code (the first process of a container often does not)
     * stay in the process table until it ends.
     */
    private static boolean isRunning(ProcessHandle process) {
        String stat = proc(process, "stat");
        return process.isAlive() && !stat.isEmpty() && !stat.startsWith(") Z", stat.lastIndexOf(')'));
    }

    /** A file of /proc, empty when it may not be read or the process has ended. */
    private static String proc(ProcessHandle process, String file) {
        try {
            Path path = Path.of("/proc", Long.toString(process.pid()), file);
            return Files.readString(path, StandardCharsets.ISO_8859_1);
        } catch (IOException endedOrForeign) {
            return "";
        }
    }

    /** Whether an interrupt came meanwhile. */
    private static boolean waitFor(List<ProcessHandle> processes, Duration longest) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + longest.toNanos();
        while (processes.stream().anyMatch(ProcessEnd::isRunning) && System.nanoTime() < deadline) {
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }
}
