package org.berth.transport.link;

import org.berth.transport.failure.Refusals;

/**
 * What links of one engine share.
 *
 * <p>It is not part of the API.
 *
 * @param receiveBuffers for messages that arrive
 * @param sendBuffers for messages that leave
 * @param counters of the whole engine
 * @param shares of those that were let in
 * @param strangers what peers share that have not been let in
 */
public record EngineParts(
        MessageBuffers receiveBuffers,
        MessageBuffers sendBuffers,
        Limits limits,
        Counters counters,
        Shares shares,
        Strangers strangers) {
    /**
     * Limits that protect against peers.
     *
     * @param largestMessageBytes what is accepted and sent
     * @param windowBytes what may wait for a peer before nothing more is read from it
     * @param stallNanos how long a peer may pause within a message, or accept none of the data sent to it
     * @param pingNanos how long a peer may be silent before it is asked whether it lives
     */
    public record Limits(int largestMessageBytes, long windowBytes, long stallNanos, long pingNanos) {}

    /**
     * What peers share that have not been let in yet, so that they take nothing from those that have.
     *
     * @param buffers for their introductions
     * @param links of them
     * @param refusals of the engine
     */
    public record Strangers(MessageBuffers buffers, Introductions links, Refusals refusals) {
        /** What a peer may send before it has been let in: an introduction of the application and what the engine adds to it. */
        public static final int LARGEST_MESSAGE_BYTES = 16 * 1024;

        public static Strangers create() {
            Refusals refusals = new Refusals();
            Introductions links = new Introductions(Introductions.openFiles(), refusals);
            // Each has one message at a time; as many as take them are there for clients of this process.
            return new Strangers(
                    new MessageBuffers("introductions", 2L * links.limit() * LARGEST_MESSAGE_BYTES), links, refusals);
        }
    }
}
