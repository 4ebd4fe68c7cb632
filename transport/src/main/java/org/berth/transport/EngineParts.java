package org.berth.transport;

/**
 * What links of one engine share.
 *
 * @param receiveBuffers for messages that arrive
 * @param sendBuffers for messages that leave
 * @param counters of the whole engine
 */
record EngineParts(BufferPool receiveBuffers, BufferPool sendBuffers, Limits limits, Counters counters) {
    /**
     * Limits that protect against peers.
     *
     * @param largestMessageBytes what is accepted and sent
     * @param windowBytes what may wait for a peer before nothing more is read from it
     * @param stallNanos how long a peer may stop in the middle of a message, or take nothing of what is sent to it
     * @param pingNanos how long a peer may be silent before it is asked whether it lives
     */
    record Limits(int largestMessageBytes, long windowBytes, long stallNanos, long pingNanos) {}
}
