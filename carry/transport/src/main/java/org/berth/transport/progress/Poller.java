package org.berth.transport.progress;

import java.io.IOException;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/** What a progress loop asks for events. One thread at a time is inside {@link #poll}; the loop sees to it. It is not part of the API. */
public interface Poller {
    /**
     * Handles what has happened.
     *
     * @param timeoutNanos how long to block while there is nothing; 0 to return at once
     * @return how many events were handled
     */
    int poll(long timeoutNanos) throws IOException;

    /** Ends the poll that blocks, or the next one that would. Any thread may call it. */
    void wakeup();

    /** About once a second: for limits of time. */
    void tick(long nowNanos);

    /**
     * Closes all links, and ends.
     *
     * @param why what the receivers of the links are told; null when the engine was closed
     */
    void close(@Nullable TransportException why);
}
