/**
 * Reads and writes hwloc's XML: {@code TopologyXml} is the entry. The other classes read elements into drafts, check the tree, and
 * refuse input that no machine can have.
 */
@NullMarked
package org.berth.topology.xml;

import org.jspecify.annotations.NullMarked;
