package org.berth.placement;

/** A request that no plan can meet: one clear line that says what to do. */
public final class PlacementException extends RuntimeException {
    public PlacementException(String message) {
        super(message);
    }
}
