/** Reads and writes hwloc's XML: {@code TopologyXml} is the entry. */
@NullMarked
package org.berth.topology.xml;

import org.jspecify.annotations.NullMarked;
