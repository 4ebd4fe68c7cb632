/** {@code berth topo}: shows a machine, as a picture, facts, SVG, JSON or XML, and what differs between two. */
@NullMarked
package org.berth.cli.topo;

import org.jspecify.annotations.NullMarked;
