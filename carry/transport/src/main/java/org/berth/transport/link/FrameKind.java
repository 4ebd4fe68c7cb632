package org.berth.transport.link;

import org.jspecify.annotations.Nullable;

/** The kinds of frames and their numbers on the wire. It is not part of the API. */
public enum FrameKind {
    /** A message of the application. */
    DATA(0),
    /** The first frame of a client: who it is and what it can. */
    HELLO(1),
    /** The server's answer: what it offers. */
    WELCOME(2),
    /** The server's other answer: why it does not take the connection. */
    REFUSED(3),
    /** The first frame over another provider: which connection moves here. */
    ATTACH(4),
    /** The answer to it: the connection has moved. */
    ATTACHED(5),
    /** A question whether the peer is alive. */
    PING(6),
    /** The answer to it. */
    PONG(7);

    private final int number;

    FrameKind(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The kind with this number; null when there is none. */
    static @Nullable FrameKind of(int number) {
        return switch (number) {
            case 0 -> DATA;
            case 1 -> HELLO;
            case 2 -> WELCOME;
            case 3 -> REFUSED;
            case 4 -> ATTACH;
            case 5 -> ATTACHED;
            case 6 -> PING;
            case 7 -> PONG;
            default -> null;
        };
    }
}
