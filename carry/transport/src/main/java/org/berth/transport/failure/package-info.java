/** Holds the exception of the transport, and counts what is refused to peers. */
@NullMarked
package org.berth.transport.failure;

import org.jspecify.annotations.NullMarked;
