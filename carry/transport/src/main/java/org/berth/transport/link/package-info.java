/** Holds what all providers share: the links and their frames, and the bounded pools of message buffers with the share of each peer. */
@NullMarked
package org.berth.transport.link;

import org.jspecify.annotations.NullMarked;
