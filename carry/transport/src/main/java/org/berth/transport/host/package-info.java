/** Finds the network adapters and other facts of a host that decide the defaults of an engine, and chooses the adapter. */
@NullMarked
package org.berth.transport.host;

import org.jspecify.annotations.NullMarked;
