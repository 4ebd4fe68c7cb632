package org.berth.placement;

/**
 * A request that no plan can meet, or a plan text that cannot be read: one clear line that says what to do.
 *
 * @since 0.1.0
 */
public final class PlacementException extends RuntimeException {
    /** Reports a request that no plan can meet. */
    public PlacementException(String message) {
        super(message);
    }

    /** Reports a request that no plan can meet. */
    public PlacementException(String message, Throwable cause) {
        super(message, cause);
    }
}
