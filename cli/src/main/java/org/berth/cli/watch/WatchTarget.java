package org.berth.cli.watch;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.CommandLookup;
import org.berth.cli.shared.Reasons;

/** The process to watch: one that runs already, or a command that the watch starts. */
final class WatchTarget {
    /** On ^C the terminal tells the child too; a child that was not told gets so long. */
    private static final long GRACE_SECONDS = 2;

    private final long pid;
    private final Optional<Process> child;

    private WatchTarget(long pid, Optional<Process> child) {
        this.pid = pid;
        this.child = child;
    }

    /** One number is a process id; anything else is a command, which gets our standard input, output and error. */
    static WatchTarget of(List<String> words) {
        String first = words.get(0);
        if (words.size() == 1 && !first.isEmpty() && first.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return running(first);
        }
        CommandLookup.find(first, System.getenv().getOrDefault("PATH", ""));
        try {
            Process child = new ProcessBuilder(words).inheritIO().start();
            return new WatchTarget(child.pid(), Optional.of(child));
        } catch (IOException e) {
            throw CommandException.failure("cannot start '" + first + "': " + Reasons.of(e), e);
        }
    }

    private static WatchTarget running(String digits) {
        long pid;
        try {
            pid = Long.parseLong(digits);
        } catch (NumberFormatException tooLong) {
            throw CommandException.usage("cannot watch process " + digits + ": no process has such a number");
        }
        return new WatchTarget(pid, Optional.empty());
    }

    long pid() {
        return pid;
    }

    boolean isChild() {
        return child.isPresent();
    }

    /** Waits for a child that is about to end, and tells it to when it does not. */
    void end() throws InterruptedException {
        if (child.isPresent() && !child.get().waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
            child.get().destroy();
            child.get().waitFor();
        }
    }

    /** The child's exit code, for which this waits; 0 for a process that is not ours. */
    int exitCode() throws InterruptedException {
        return child.isPresent() ? child.get().waitFor() : 0;
    }
}
