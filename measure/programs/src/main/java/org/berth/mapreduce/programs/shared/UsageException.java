package org.berth.mapreduce.programs.shared;

/** A wrong command line; the message is one line that names the word and the remedy. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The message becomes the line on standard error. */
    public UsageException(String message) {
        super(message);
    }
}
