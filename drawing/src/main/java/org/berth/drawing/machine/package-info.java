/**
 * Pictures of a machine, pure functions of its topology. Read {@link TopologyPicture} (text) and {@link TopologySvg}
 * first; {@code Picture*} and {@code Core*} are their parts, {@code Interrupt*} draw interrupts onto the machine.
 */
@NullMarked
package org.berth.drawing.machine;

import org.jspecify.annotations.NullMarked;
