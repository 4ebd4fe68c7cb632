/** Finds what differs between two machines of the same shape, reads and writes the differences as XML, and applies them. */
@NullMarked
package org.berth.topology.diff;

import org.jspecify.annotations.NullMarked;
