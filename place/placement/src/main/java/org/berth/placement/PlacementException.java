package org.berth.placement;

import org.berth.topology.BerthException;
import org.berth.topology.FailureKind;

/**
 * A request that no plan can meet, or a plan text that cannot be read: one clear line that says what to do.
 *
 * @since 0.1.0
 */
public final class PlacementException extends BerthException {
    /** Reports a request that no plan can meet. */
    public PlacementException(String message) {
        super(FailureKind.INVALID, message, null);
    }

    /** Reports a request that no plan can meet. */
    public PlacementException(String message, Throwable cause) {
        super(FailureKind.INVALID, message, cause);
    }
}
