package org.berth.rpc.link;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * A server's answer to a client that asks for the transport.
 *
 * @param token for the connection; null when the server refuses
 * @param port of the transport, on the host of the server
 * @param largestRequestBytes what the server takes
 * @param reason why it refuses, in one line; empty when it does not
 */
public record Offer(@Nullable Token token, int port, int largestRequestBytes, String reason) {
    /** What a client names as the protocol of its question. Other servers answer that they do not know it. */
    public static final String PROTOCOL = "org.berth.rpc.Transport";

    /** The version of question, answer, introduction and calls. */
    public static final int VERSION = 1;

    private static final int LONGEST_REASON = 1000;

    /** A refusal. */
    public static Offer refusal(String reason) {
        return new Offer(null, 0, 0, reason.substring(0, Math.min(LONGEST_REASON, reason.length())));
    }

    /** The bytes of this answer. */
    public byte[] toBytes() {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        ByteBuffer to = ByteBuffer.allocate(2 + Token.BYTES + 2 * Integer.BYTES + text.length);
        to.put((byte) VERSION);
        Token given = token;
        if (given == null) {
            to.put((byte) 0).put(text);
        } else {
            to.put((byte) 1);
            given.write(to);
            to.putInt(port).putInt(largestRequestBytes);
        }
        byte[] bytes = new byte[to.position()];
        to.flip().get(bytes);
        return bytes;
    }

    /**
     * Reads an answer.
     *
     * @throws TransportException CORRUPT when it is none, UNAVAILABLE when it is one of another version
     */
    public static Offer read(byte[] bytes) throws TransportException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        try {
            int version = from.get();
            if (version != VERSION) {
                throw new TransportException(
                        TransportException.Kind.UNAVAILABLE,
                        "the server has version " + version + " of Berth's RPC, and this client has " + VERSION);
            }
            if (from.get() == 0) {
                return refusal(StandardCharsets.UTF_8.decode(from).toString());
            }
            return new Offer(Token.read(from), from.getInt(), from.getInt(), "");
        } catch (BufferUnderflowException e) {
            throw new TransportException(TransportException.Kind.CORRUPT, "the server's answer is malformed", e);
        }
    }
}
