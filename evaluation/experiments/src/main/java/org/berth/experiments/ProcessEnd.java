package org.berth.experiments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Ends processes together with all that they started: first asked (SIGTERM), then forced (SIGKILL). */
final class ProcessEnd {
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final int FORCED_ROUNDS = 5;
    private static final Duration POLL = Duration.ofMillis(10);

    private ProcessEnd() {}

    /** How many were still alive. Not stopped by an interrupt: a child that lives on would disturb whatever comes next. */
    static int end(Collection<ProcessHandle> processes) {
        List<ProcessHandle> alive = family(processes);
        int count = alive.size();
        alive.forEach(ProcessHandle::destroy);
        boolean interrupted = waitFor(alive);
        List<ProcessHandle> left = family(processes);
        for (int i = 0; i < FORCED_ROUNDS && !left.isEmpty(); i++) { // again, for those who were just starting a child
            left.forEach(ProcessHandle::destroyForcibly);
            interrupted |= waitFor(left);
            left = family(left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return count;
    }

    /** Those alive and their descendants, collected before anyone is ended: an orphan could not be found any more. */
    private static List<ProcessHandle> family(Collection<ProcessHandle> processes) {
        List<ProcessHandle> family = new ArrayList<>();
        for (ProcessHandle process : processes) {
            process.descendants().forEach(family::add);
            family.add(process);
        }
        return family.stream().filter(ProcessEnd::isRunning).distinct().toList();
    }

    /**
     * Ended processes whose parent does not fetch their exit code (the first process of a container often does not)
     * stay in the process table for ever.
     */
    private static boolean isRunning(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "stat"), StandardCharsets.ISO_8859_1);
            return !stat.startsWith(") Z", stat.lastIndexOf(')'));
        } catch (IOException ended) {
            return false;
        }
    }

    /** Whether an interrupt came meanwhile. */
    private static boolean waitFor(List<ProcessHandle> processes) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + GRACE.toNanos();
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
