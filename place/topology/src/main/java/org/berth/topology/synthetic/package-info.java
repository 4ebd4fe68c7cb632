/** Writes a symmetric machine as one line of text that hwloc can read. */
@NullMarked
package org.berth.topology.synthetic;

import org.jspecify.annotations.NullMarked;
