package org.berth.placement;

/**
 * The edge of a slot that opens or closes.
 *
 * @param slot its number
 * @param open whether its threads may leave its CPUs from now on
 * @param reason why, for people: "waited 12 ms of the last 20 ms for a CPU"
 * @since 0.1.0
 */
public record EdgeChange(int slot, boolean open, String reason) {}
