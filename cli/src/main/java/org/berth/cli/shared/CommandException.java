package org.berth.cli.shared;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line: what was tried, on what, why it did not work, and what to do. */
public final class CommandException extends RuntimeException {
    private static final int FAILURE = 1;
    private static final int USAGE = 2;

    private final int exitCode;

    private CommandException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The user asked for something that makes no sense here: exit code 2. */
    public static CommandException usage(String message) {
        return new CommandException(USAGE, message, null);
    }

    /** A right request met an obstacle: exit code 1. */
    public static CommandException failure(String message) {
        return new CommandException(FAILURE, message, null);
    }

    public static CommandException failure(String message, Throwable cause) {
        return new CommandException(FAILURE, message, cause);
    }

    /** For commands that pass on the exit codes of other programs, such as 127 of env(1). */
    public static CommandException exit(int exitCode, String message) {
        return new CommandException(exitCode, message, null);
    }

    int exitCode() {
        return exitCode;
    }
}
