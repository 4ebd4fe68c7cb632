/** Reads elements of hwloc's XML into drafts, checks the tree, writes XML, and refuses input that no machine can have. */
@NullMarked
package org.berth.topology.internal.xml;

import org.jspecify.annotations.NullMarked;
