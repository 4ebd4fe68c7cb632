package org.berth.transport;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings of an engine.
 *
 * @param name of the engine, for threads and log lines
 * @param providers those that may be used, the preferred one first; TCP is always there
 * @param threads progress threads
 * @param waitMode what they do while there is nothing to do
 * @param largestMessageBytes what is sent and accepted
 * @param receivePoolBytes limit of buffers for messages that arrive
 * @param sendPoolBytes limit of buffers for messages that leave
 * @param stallTimeout how long a peer may stop in the middle of a message, or take nothing of what is sent to it
 * @param pingInterval how long a peer may be silent before it is asked whether it lives; after twice as long it is given up
 * @param localDirectory where sockets of the Unix domain are
 */
public record TransportSettings(
        String name,
        List<String> providers,
        int threads,
        WaitMode waitMode,
        int largestMessageBytes,
        long receivePoolBytes,
        long sendPoolBytes,
        Duration stallTimeout,
        Duration pingInterval,
        Path localDirectory) {
    /** Copies the list and checks the limits against each other. */
    public TransportSettings {
        providers = List.copyOf(providers);
        if (threads < 1) {
            throw new IllegalArgumentException("threads " + threads + ": at least 1 is needed");
        }
        long needed = 2L * Integer.highestOneBit(largestMessageBytes + Frame.HEADER_BYTES);
        if (largestMessageBytes < 64 || needed > Math.min(receivePoolBytes, sendPoolBytes)) {
            throw new IllegalArgumentException("max-message " + largestMessageBytes
                    + ": each pool needs at least " + needed + " bytes for one (receive-pool, send-pool)");
        }
    }

    /** Settings for a host of no special kind. */
    public static TransportSettings defaults(String name) {
        return new TransportSettings(
                name,
                List.of("local", "tcp"),
                1,
                WaitMode.EVENT,
                64 << 20,
                256 << 20,
                256 << 20,
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Path.of(System.getProperty("java.io.tmpdir"), "berth-transport-" + System.getProperty("user.name")));
    }
}
