package org.berth.mapreduce.programs.shared;

/** A job that did not succeed; the message names it and what its engine reports. */
public final class JobFailedException extends Exception {
    private static final long serialVersionUID = 1;

    JobFailedException(String message) {
        super(message);
    }
}
