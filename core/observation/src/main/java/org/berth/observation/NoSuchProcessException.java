package org.berth.observation;

/** The process has ended, or never was. A watcher meets this at the end of every process that it watches. */
public final class NoSuchProcessException extends ObservationException {
    private final long pid;

    NoSuchProcessException(long pid, String reason) {
        super("no process " + pid + ": " + reason);
        this.pid = pid;
    }

    /** The process that was asked for. */
    public long pid() {
        return pid;
    }
}
