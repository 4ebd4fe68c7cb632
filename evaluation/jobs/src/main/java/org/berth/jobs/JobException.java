package org.berth.jobs;

/** A job that cannot run: one line that says what was tried, on what, why not and what to do. */
final class JobException extends RuntimeException {
    private final int exitCode;

    private JobException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The command line is wrong. */
    static JobException usage(String message) {
        return new JobException(2, message + " (--help lists the options)");
    }

    /** The command line is right, but its input or this machine does not allow it. */
    static JobException failure(String message) {
        return new JobException(1, message);
    }

    int exitCode() {
        return exitCode;
    }
}
