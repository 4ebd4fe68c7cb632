package org.berth.transport.failure;

import java.io.IOException;
import org.berth.text.ForeignText;
import org.berth.text.Words;
import org.jspecify.annotations.Nullable;

/**
 * A connection, a message or a provider failed. The message is one line: what was tried, with what, and why it failed; what
 * a peer says in it is {@linkplain ForeignText#clean cleaned} and cut.
 *
 * @since 0.1.0
 */
public final class TransportException extends IOException {
    private static final long serialVersionUID = 1;

    /** A part of it may be what a peer wrote: of a server's refusal, of the address that it offers. */
    private static final int LONGEST_TEXT = 1500;

    /** What failed, for programs. */
    public enum Kind {
        /** The peer did not accept the connection; the reason is the peer's. */
        REFUSED,
        /** No connection could be made, or it was lost. */
        CLOSED,
        /** An operation took longer than its limit. */
        TIMEOUT,
        /** The peer sent bytes that are no frame of this protocol. */
        CORRUPT,
        /** A message is larger than one side accepts. */
        TOO_LARGE,
        /** All buffers of a pool are leased. */
        EXHAUSTED,
        /** A provider cannot work on this host. */
        UNAVAILABLE
    }

    private final Kind kind;

    /** A failure with one line of text. */
    public TransportException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** A failure with one line of text and what caused it. */
    public TransportException(Kind kind, String message, @Nullable Throwable cause) {
        super(Words.oneLine(message, LONGEST_TEXT), cause);
        this.kind = kind;
    }

    /** What failed. */
    public Kind kind() {
        return kind;
    }
}
