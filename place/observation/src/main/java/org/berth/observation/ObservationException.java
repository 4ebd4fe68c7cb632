package org.berth.observation;

import org.berth.topology.BerthException;
import org.berth.topology.FailureKind;

/**
 * Thrown when something about a process cannot be observed. The message is one line: what, of which process, why, and
 * what to do.
 *
 * @since 0.1.0
 */
public sealed class ObservationException extends BerthException permits NoSuchProcessException {
    /** Reports a reading that failed. */
    public ObservationException(String message) {
        super(FailureKind.FAILED, message, null);
    }

    /** Reports a reading that failed. */
    public ObservationException(String message, Throwable cause) {
        super(FailureKind.FAILED, message, cause);
    }

    ObservationException(FailureKind kind, String message) {
        super(kind, message, null);
    }
}
