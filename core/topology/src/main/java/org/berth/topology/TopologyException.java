package org.berth.topology;

/** A description of a machine that cannot be read: one clear line. */
public final class TopologyException extends RuntimeException {
    public TopologyException(String message) {
        super(message);
    }

    public TopologyException(String message, Throwable cause) {
        super(message, cause);
    }
}
