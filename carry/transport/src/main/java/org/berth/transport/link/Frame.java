package org.berth.transport.link;

import java.nio.ByteBuffer;
import org.berth.transport.failure.TransportException;

/** The header before each message: two bytes of magic, the version, the kind, and the length in four bytes, big-endian. It is not part of the API. */
public final class Frame {
    public static final int HEADER_BYTES = 8;
    /** Room before the header for the number of a link, which UCX sends apart from the frame. */
    public static final int LINK_BYTES = 8;
    /** What each buffer needs in addition to its message. */
    static final int OVERHEAD_BYTES = LINK_BYTES + HEADER_BYTES;

    private static final int VERSION = 1;
    private static final int MAGIC = ('B' << 24) | ('E' << 16) | (VERSION << 8);

    private Frame() {}

    public static void putHeader(ByteBuffer frame, FrameKind kind, int length) {
        frame.putInt(0, MAGIC | kind.number()).putInt(4, length);
    }

    /** The kind of frame that begins at a position, at least {@link #HEADER_BYTES} before the limit. */
    public static FrameKind kind(ByteBuffer from, int position) throws TransportException {
        int word = from.getInt(position);
        FrameKind kind = FrameKind.of(word & 0xFF);
        if ((word & 0xFFFFFF00) != MAGIC || kind == null) {
            throw new TransportException(
                    TransportException.Kind.CORRUPT,
                    String.format("0x%08x does not begin a frame of version %d of Berth's transport", word, VERSION));
        }
        return kind;
    }

    /** The length of the message, checked against the limit. */
    public static int length(ByteBuffer from, int position, int largest) throws TransportException {
        int length = from.getInt(position + 4);
        if (length < 0 || length > largest) {
            throw new TransportException(
                    TransportException.Kind.TOO_LARGE,
                    "a message of " + Integer.toUnsignedString(length) + " bytes is announced, but at most " + largest
                            + " are accepted (max-message)");
        }
        return length;
    }
}
