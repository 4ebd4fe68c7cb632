/** Drives the pollers of an engine and decides whether a thread spins or blocks until an event or a reply arrives. */
@NullMarked
package org.berth.transport.progress;

import org.jspecify.annotations.NullMarked;
