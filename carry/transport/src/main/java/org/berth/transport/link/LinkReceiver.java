package org.berth.transport.link;

import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/** Takes the frames of a link, on its loop. It is not part of the API. */
public interface LinkReceiver {
    /** A frame; the buffer is leased to the receiver. */
    void received(Link link, FrameKind kind, MessageBuffer message);

    /** The last call. */
    void closed(Link link, @Nullable TransportException cause);
}
