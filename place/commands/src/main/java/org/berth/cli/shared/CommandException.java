package org.berth.cli.shared;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line: what failed, why, and what to do. */
public final class CommandException extends RuntimeException {
    private static final int FAILURE = 1;
    private static final int USAGE = 2;

    private final int exitCode;

    private CommandException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** A usage error: exit code 2. */
    public static CommandException usage(String message) {
        return new CommandException(USAGE, message, null);
    }

    /** A failure of a valid request: exit code 1. */
    public static CommandException failure(String message) {
        return new CommandException(FAILURE, message, null);
    }

    public static CommandException failure(String message, Throwable cause) {
        return new CommandException(FAILURE, message, cause);
    }

    /** An error with the exit code of another program, such as 127 of env(1). */
    public static CommandException exit(int exitCode, String message) {
        return new CommandException(exitCode, message, null);
    }

    public int exitCode() {
        return exitCode;
    }
}
