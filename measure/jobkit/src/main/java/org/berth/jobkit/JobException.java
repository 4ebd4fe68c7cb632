package org.berth.jobkit;

/** A job cannot run: one line that says what was tried, on what, why it failed and what to do. */
public final class JobException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    private JobException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The command line is wrong: exit code 2. */
    public static JobException usage(String message) {
        return new JobException(2, message + " (--help lists the options)");
    }

    /** The command line is right, but its input or this machine does not allow it: exit code 1. */
    public static JobException failure(String message) {
        return new JobException(1, message);
    }

    /** The exit code of the job. */
    public int exitCode() {
        return exitCode;
    }
}
