package org.berth.transport;

/** The kinds of frames; the ordinal is on the wire. */
enum FrameKind {
    /** A message of the application. */
    DATA,
    /** The first frame of a client: who it is and what it can. */
    HELLO,
    /** The server's answer: what it offers. */
    WELCOME,
    /** The server's other answer: why it does not take the connection. */
    REFUSED,
    /** The first frame over another provider: which connection moves here. */
    ATTACH,
    /** The answer to it: the connection has moved. */
    ATTACHED,
    /** A question whether the peer is alive. */
    PING,
    /** The answer to it. */
    PONG;

    private static final FrameKind[] ALL = values();

    static boolean isKnown(int ordinal) {
        return ordinal >= 0 && ordinal < ALL.length;
    }

    static FrameKind of(int ordinal) {
        return ALL[ordinal];
    }
}
