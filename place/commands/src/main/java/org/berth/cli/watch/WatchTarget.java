package org.berth.cli.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.Reading;
import org.berth.observation.internal.ProcessStat;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.observation.internal.process.ProcessFacts;

/** The process to watch: a running process, or a command that the watch starts. */
final class WatchTarget {
    /** On ^C the terminal signals the child too; a child that got no signal is ended after this time. */
    private static final long GRACE_SECONDS = 2;

    private final long pid;
    private final String startTime;
    private final Optional<Process> child;

    private WatchTarget(long pid, Optional<Process> child) {
        this.pid = pid;
        this.startTime = ProcessStat.field(Path.of("/proc", Long.toString(pid)), ProcessStat.START_TIME);
        this.child = child;
    }

    /** A single number is a process id; anything else is a command, which inherits standard input, output and error. */
    static WatchTarget of(List<String> words) {
        String first = words.get(0);
        if (words.stream().allMatch(WatchTarget::isNumber)) {
            if (words.size() > 1) {
                throw CommandException.usage("cannot watch " + words.size()
                        + " processes at once: give one PID; 'berth status' shows several");
            }
            return running(first);
        }
        CommandLookup.find(first, System.getenv().getOrDefault("PATH", ""));
        try {
            Process child = CallerEnvironment.restore(new ProcessBuilder(words))
                    .inheritIO()
                    .start();
            return new WatchTarget(child.pid(), Optional.of(child));
        } catch (IOException e) {
            throw CommandException.failure("cannot start '" + first + "': " + IoErrors.reason(e), e);
        }
    }

    private static WatchTarget running(String digits) {
        long pid;
        try {
            pid = Long.parseLong(digits);
        } catch (NumberFormatException tooLong) {
            throw CommandException.usage("cannot watch process " + digits + ": no process has such a number");
        }
        if (pid == 0) {
            throw CommandException.usage("cannot watch process 0: no process has such a number");
        }
        return new WatchTarget(pid, Optional.empty());
    }

    private static boolean isNumber(String word) {
        return !word.isEmpty() && word.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    long pid() {
        return pid;
    }

    /**
     * What the kernel reports about it now; absent when it has ended and another process has its PID.
     *
     * @throws NoSuchProcessException when no process has its PID
     * @throws ObservationException when it may not be inspected */
    Reading<ProcessFacts> facts() {
        ProcessFacts facts = ProcessFacts.of(pid, Path.of("/"));
        return facts.startTime().equals(startTime)
                ? Reading.of(facts)
                : Reading.absent("process " + pid + " has ended");
    }

    boolean isChild() {
        return child.isPresent();
    }

    /** Waits for a child that is about to end, and ends it when it does not. */
    void end() throws InterruptedException {
        if (child.isPresent() && !child.get().waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
            child.get().destroy();
            child.get().waitFor();
        }
    }

    /** Waits for the child's exit code; 0 for a process that the watch did not start. */
    int exitCode() throws InterruptedException {
        return child.isPresent() ? child.get().waitFor() : 0;
    }
}
