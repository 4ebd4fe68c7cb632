package org.berth.rpc.link;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.berth.transport.failure.TransportException;

/**
 * How a client begins a connection of the transport.
 *
 * @param token that the server gave it
 * @param largestResponseBytes what the client takes
 */
public record Introduction(Token token, int largestResponseBytes) {
    /** The bytes of it. */
    public ByteBuffer toBytes() {
        ByteBuffer to = ByteBuffer.allocate(1 + Token.BYTES + Integer.BYTES);
        to.put((byte) Offer.VERSION);
        token.write(to);
        return to.putInt(largestResponseBytes).flip();
    }

    /**
     * Reads one.
     *
     * @throws TransportException REFUSED when it is none of this version
     */
    public static Introduction read(ByteBuffer from) throws TransportException {
        try {
            int version = from.get();
            if (version != Offer.VERSION) {
                throw new TransportException(
                        TransportException.Kind.REFUSED,
                        "the client has version " + version + " of Berth's RPC, and this server has " + Offer.VERSION);
            }
            return new Introduction(Token.read(from), from.getInt());
        } catch (BufferUnderflowException e) {
            throw new TransportException(TransportException.Kind.REFUSED, "the introduction is malformed", e);
        }
    }
}
