package org.berth.topology;

/**
 * A description of a machine that cannot be read: the message is one clear line, with the line number in the file.
 *
 * @since 0.1.0
 */
public final class TopologyException extends BerthException {
    /** Reports a description that no machine can have. */
    public TopologyException(String message) {
        super(FailureKind.INVALID, message, null);
    }

    /** Reports a description that no machine can have. */
    public TopologyException(String message, Throwable cause) {
        super(FailureKind.INVALID, message, cause);
    }
}
