package org.berth.rpc.link;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.berth.transport.settings.Parameter;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;

/**
 * What an administrator set, checked. {@code docs/engines/rpc.md} tells what each one does. A key of the transport is
 * read as {@code berth.rpc.KEY}, else as {@code berth.transport.KEY}.
 *
 * @param port where a server's transport listens; 0 for one that is free
 * @param portOffset its distance from the server's own port, when no port is given; 0 for one that is free
 * @param inline protocols whose calls run on the thread that received them
 * @param connectTimeout how long a client waits for a connection of the transport before it uses Hadoop's own
 * @param largestRequestBytes what a server takes
 * @param largestResponseBytes what a client takes
 */
public record RpcSettings(
        int port,
        int portOffset,
        Set<String> inline,
        Duration connectTimeout,
        int largestRequestBytes,
        int largestResponseBytes) {
    static final String PREFIX = "berth.rpc.";
    static final String TRANSPORT_PREFIX = "berth.transport.";
    static final String PORT = PREFIX + "port";
    static final String PORT_OFFSET = PREFIX + "port-offset";
    static final String INLINE = PREFIX + "inline";
    static final String CONNECT_TIMEOUT = PREFIX + "connect-timeout.ms";

    /** Room for the headers around a request or response of the largest size. */
    private static final int SPARE_BYTES = 64 * 1024;

    private static final int LARGEST_MESSAGE_BYTES = 1 << 29;

    private static final long SMALLEST_POOL_BYTES = 256 << 20;

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException one line, when one of them makes no sense
     */
    public static RpcSettings of(Configuration settings) {
        return new RpcSettings(
                number(settings, PORT, 0, 65_535, 0),
                number(settings, PORT_OFFSET, -65_535, 65_535, 0),
                Set.copyOf(settings.getTrimmedStringCollection(INLINE)),
                Duration.ofMillis(number(settings, CONNECT_TIMEOUT, 1, 600_000, 5000)),
                limit(settings.getInt(
                        CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                        CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT)),
                limit(settings.getInt(
                        CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH,
                        CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH_DEFAULT)));
    }

    /** The port of the transport of a server that has this port itself. */
    public int listenPort(int ownPort) {
        return port != 0 ? port : portOffset == 0 ? 0 : ownPort + portOffset;
    }

    /**
     * The settings of an engine whose name is given.
     *
     * @throws IllegalArgumentException one line, when one of them makes no sense
     */
    public TransportSettings transport(String name, Configuration settings) {
        return TransportSettings.resolve(name, key -> option(settings, key));
    }

    private @Nullable String option(Configuration settings, String key) {
        String given = settings.getTrimmed(PREFIX + key, settings.getTrimmed(TRANSPORT_PREFIX + key));
        Parameter parameter = Parameter.of(key).orElseThrow();
        if (given != null || System.getenv(parameter.variable()) != null) {
            return given;
        }
        // What Hadoop's own connections would take has to fit.
        int largest = Math.max(largestRequestBytes, largestResponseBytes) + SPARE_BYTES;
        long buffer = 2 * Long.highestOneBit(largest + SPARE_BYTES);
        return switch (parameter) {
            case MAX_MESSAGE -> Integer.toString(largest);
            case SEND_POOL -> Long.toString(Math.max(SMALLEST_POOL_BYTES, buffer));
            // Half of it is the most that one user may have.
            case RECEIVE_POOL -> Long.toString(Math.max(SMALLEST_POOL_BYTES, 2 * buffer));
            default -> null;
        };
    }

    /** Hadoop takes 0 and less for: no limit. */
    private static int limit(int bytes) {
        return bytes <= 0 ? LARGEST_MESSAGE_BYTES - SPARE_BYTES : Math.min(bytes, LARGEST_MESSAGE_BYTES - SPARE_BYTES);
    }

    private static int number(Configuration settings, String key, int least, int largest, int usual) {
        int value;
        try {
            value = settings.getInt(key, usual);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " is '" + settings.get(key) + "': give a number", e);
        }
        if (value < least || value > largest) {
            throw new IllegalArgumentException(key + " is " + value + ": give " + least + " to " + largest);
        }
        return value;
    }

    /** The time to connect, for the transport. */
    public long connectNanos() {
        return TimeUnit.MILLISECONDS.toNanos(connectTimeout.toMillis());
    }
}
