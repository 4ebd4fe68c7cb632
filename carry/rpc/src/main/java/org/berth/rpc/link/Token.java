package org.berth.rpc.link;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** A secret of 16 random bytes that a server gives one client for one connection. */
public record Token(long high, long low) {
    static final int BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    static Token random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return read(ByteBuffer.wrap(bytes));
    }

    static Token read(ByteBuffer from) {
        return new Token(from.getLong(), from.getLong());
    }

    void write(ByteBuffer to) {
        to.putLong(high).putLong(low);
    }

    /** Without the secret: it may get into a log. */
    @Override
    public String toString() {
        return "Token";
    }
}
