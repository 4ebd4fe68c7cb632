package org.berth.placement.internal.dynamic;

import org.berth.observation.internal.devices.Interrupt;
import org.berth.topology.CpuSet;

/**
 * An interrupt and where it should be delivered. Immutable.
 *
 * @param device the device of the interrupt
 * @param interrupt as it is now
 * @param to osIndex of the one CPU it should go to
 * @param reason why there, without a full stop
 * @since 0.1.0
 */
public record InterruptMove(String device, Interrupt interrupt, CpuSet to, String reason) {}
