package org.berth.cli.split;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.Signals;
import org.jspecify.annotations.Nullable;

/** One process of a split, as the supervisor's thread sees it: running, ended, or waiting to be started again. */
final class SplitProcess {
    private final int index;
    private final List<Thread> forwarders = new ArrayList<>();
    private @Nullable Process keeper;
    private Optional<Place> place = Optional.empty();
    private boolean placeIsOpen;
    private long startedAtNanos;
    private long restartAtNanos;
    private boolean waiting;
    private int restarts;
    private int restartsInRow;
    private int exitCode;

    SplitProcess(int index) {
        this.index = index;
    }

    int index() {
        return index;
    }

    void started(Process process, List<Thread> outputs) {
        keeper = process;
        forwarders.clear();
        forwarders.addAll(outputs);
        place = Optional.empty();
        placeIsOpen = true;
        startedAtNanos = System.nanoTime();
        waiting = false;
    }

    boolean is(Process process) {
        return process.equals(keeper);
    }

    boolean runs() {
        return keeper != null;
    }

    /** Whether it has not said yet where it is. */
    boolean hasOpenPlace() {
        return placeIsOpen && keeper != null;
    }

    /** Its place, once: as soon as it can be read. */
    Optional<Place> readPlace() {
        Optional<Place> found = keeper == null ? Optional.empty() : Place.of(keeper.toHandle());
        if (found.isPresent()) {
            place = found;
            placeIsOpen = false;
        }
        return found;
    }

    Optional<Place> place() {
        return place;
    }

    void ended(int code) {
        keeper = null;
        exitCode = code;
        if (System.nanoTime() - startedAtNanos >= RestartPolicy.CALM.toNanos()) {
            restartsInRow = 0;
        }
    }

    /** Waits until all that it wrote is forwarded; an orphan in a session of its own may hold the pipe for longer. */
    void awaitOutput(Duration longest) throws InterruptedException {
        for (Thread forwarder : forwarders) {
            forwarder.join(longest.toMillis());
        }
    }

    int exitCode() {
        return exitCode;
    }

    int restarts() {
        return restarts;
    }

    int restartsInRow() {
        return restartsInRow;
    }

    void waitForRestart(Duration pause) {
        waiting = true;
        restartAtNanos = System.nanoTime() + pause.toNanos();
        restarts++;
        restartsInRow++;
    }

    boolean waits() {
        return waiting;
    }

    void giveUpRestart() {
        waiting = false;
    }

    boolean isDue() {
        return waiting && restartAtNanos - System.nanoTime() <= 0;
    }

    /** One byte to its keeper (keeper.h); one that has ended has no reader. */
    void signal(Signals signal) {
        Process running = keeper;
        if (running == null) {
            return;
        }
        try {
            running.getOutputStream().write(signal.number());
            running.getOutputStream().flush();
        } catch (IOException ended) {
            return;
        }
    }
}
