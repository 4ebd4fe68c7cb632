/** Names the types of objects with the attributes and texts that each can have, and the kinds of locality of memory nodes. */
@NullMarked
package org.berth.topology.type;

import org.jspecify.annotations.NullMarked;
