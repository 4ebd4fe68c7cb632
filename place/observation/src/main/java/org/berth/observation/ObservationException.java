package org.berth.observation;

/**
 * Thrown when something about a process cannot be observed. The message is one line: what, of which process, why, and
 * what to do.
 *
 * @since 0.1.0
 */
public sealed class ObservationException extends RuntimeException permits NoSuchProcessException {
    /** Reports a reading that failed. */
    public ObservationException(String message) {
        super(message);
    }

    /** Reports a reading that failed. */
    public ObservationException(String message, Throwable cause) {
        super(message, cause);
    }
}
