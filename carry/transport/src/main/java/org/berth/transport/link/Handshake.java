package org.berth.transport.link;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.transport.failure.TransportException;

/** What the frames say by which two sides begin a connection. Each is at most some kilobytes. It is not part of the API. */
public final class Handshake {
    /** The longest introduction of an application. */
    public static final int LONGEST_INTRODUCTION = 8 * 1024;

    private Handshake() {}

    /**
     * The first frame.
     *
     * @param host tells hosts apart
     * @param providers those that the client can use, by name
     * @param introduction the application's
     */
    public record Hello(UUID host, List<String> providers, ByteBuffer introduction) {
        public void write(ByteBuffer to) {
            putUuid(to, host);
            putStrings(to, providers);
            to.putShort((short) introduction.remaining()).put(introduction.duplicate());
            to.flip();
        }

        public static Hello read(ByteBuffer from) throws TransportException {
            return parse("HELLO", () -> new Hello(uuid(from), strings(from), ByteBuffer.wrap(bytes(from))));
        }
    }

    /**
     * The answer.
     *
     * @param token of this connection, for {@link Attach}
     * @param providers names of what is offered in addition to TCP
     * @param addresses where each of them is reached
     */
    public record Welcome(UUID token, List<String> providers, List<String> addresses) {
        public void write(ByteBuffer to) {
            putUuid(to, token);
            putStrings(to, providers);
            putStrings(to, addresses);
            to.flip();
        }

        public static Welcome read(ByteBuffer from) throws TransportException {
            return parse("WELCOME", () -> {
                Welcome welcome = new Welcome(uuid(from), strings(from), strings(from));
                if (welcome.providers.size() != welcome.addresses.size()) {
                    throw new IllegalArgumentException("providers and addresses differ in number");
                }
                return welcome;
            });
        }
    }

    /** Why a server refuses. */
    public record Refusal(String reason) {
        private static final int LONGEST = 1000;

        public void write(ByteBuffer to) {
            putString(to, reason.substring(0, Math.min(LONGEST, reason.length())));
            to.flip();
        }

        public static Refusal read(ByteBuffer from) throws TransportException {
            return parse("REFUSED", () -> new Refusal(string(from)));
        }
    }

    /** Which connection goes on over the link that this comes by. */
    public record Attach(UUID token) {
        public void write(ByteBuffer to) {
            putUuid(to, token);
            to.flip();
        }

        public static Attach read(ByteBuffer from) throws TransportException {
            return parse("ATTACH", () -> new Attach(uuid(from)));
        }
    }

    /**
     * Names this boot of this host, the same in all of its containers. Where the kernel does not tell, it is random and names this
     * process alone, with a line in the log.
     */
    public static UUID thisHost() {
        return ThisHost.ID;
    }

    /** Read once, so that a random one is the same for all connections of the process. */
    private static final class ThisHost {
        static final UUID ID = read();

        private static UUID read() {
            Reading<UUID> boot = SystemFiles.LIVE.boot();
            if (boot.value().isEmpty()) {
                System.getLogger(Handshake.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "berth: this host has no identity (" + boot.reason()
                                        + "): its other processes count as remote ones, so connections to them use"
                                        + " neither local sockets nor shared memory");
            }
            return boot.value().orElseGet(UUID::randomUUID);
        }
    }

    private interface Parser<T> {
        T parse();
    }

    private static <T> T parse(String frame, Parser<T> parser) throws TransportException {
        try {
            return parser.parse();
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new TransportException(TransportException.Kind.CORRUPT, "the peer's " + frame + " is malformed", e);
        }
    }

    private static void putUuid(ByteBuffer to, UUID uuid) {
        to.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }

    private static UUID uuid(ByteBuffer from) {
        return new UUID(from.getLong(), from.getLong());
    }

    private static void putBytes(ByteBuffer to, byte[] bytes) {
        to.putShort((short) bytes.length).put(bytes);
    }

    private static byte[] bytes(ByteBuffer from) {
        int length = Short.toUnsignedInt(from.getShort());
        if (length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return bytes;
    }

    private static void putString(ByteBuffer to, String string) {
        putBytes(to, string.getBytes(StandardCharsets.UTF_8));
    }

    private static String string(ByteBuffer from) {
        return new String(bytes(from), StandardCharsets.UTF_8);
    }

    private static void putStrings(ByteBuffer to, List<String> strings) {
        to.put((byte) strings.size());
        strings.forEach(string -> putString(to, string));
    }

    private static List<String> strings(ByteBuffer from) {
        int count = Byte.toUnsignedInt(from.get());
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            strings.add(string(from));
        }
        return strings;
    }
}
