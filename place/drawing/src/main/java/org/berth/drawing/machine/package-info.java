/**
 * Pictures of a machine, pure functions of its topology:
 *
 * <pre>{@code
 * System.out.print(TopologyPicture.render(topology, List.of("this host"), 100, true, false)); // columns, UTF-8, colour
 * Files.writeString(Path.of("machine.svg"), TopologySvg.render(topology, List.of("this host")));
 * Files.writeString(Path.of("machine.json"), TopologyJson.render(topology, "live"));
 * }</pre>
 *
 * <p>Read {@link TopologyPicture} (text) and {@link TopologySvg} first; {@code Picture*} and {@code Core*} are their parts,
 * {@code Interrupt*} draw interrupts onto the machine.
 */
@NullMarked
package org.berth.drawing.machine;

import org.jspecify.annotations.NullMarked;
