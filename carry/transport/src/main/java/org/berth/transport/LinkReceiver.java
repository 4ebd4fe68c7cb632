package org.berth.transport;

import org.jspecify.annotations.Nullable;

/** Takes the frames of a link, on its loop. */
interface LinkReceiver {
    /** A frame; the buffer is leased to the receiver. */
    void received(Link link, FrameKind kind, MessageBuffer message);

    /** The last call. */
    void closed(Link link, @Nullable TransportException cause);
}
