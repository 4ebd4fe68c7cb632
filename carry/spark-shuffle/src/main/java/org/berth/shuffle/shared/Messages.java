package org.berth.shuffle.shared;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages between executors. A client asks for blocks ({@link #REQUEST}); the server answers with messages of segments
 * ({@link #DATA}), each a whole block or a part of one, in the order of the request, or with {@link #FAILED}.
 */
public final class Messages {
    public static final byte REQUEST = 1;
    public static final byte DATA = 2;
    public static final byte FAILED = 3;

    /** The kind and the number of the request. */
    public static final int HEADER_BYTES = Byte.BYTES + Long.BYTES;

    private static final int LONGEST_TEXT = 1000;
    private static final String VERSION = "berth-shuffle 1";

    private Messages() {}

    /**
     * The first words of a client, by which the server knows that it is meant.
     *
     * @param server the executor that the client wants
     * @param client the executor that asks
     */
    public record Introduction(String application, String secret, String server, String client) {
        public byte[] bytes() {
            String text = String.join("\n", VERSION, application, secret, server, client);
            return text.getBytes(StandardCharsets.UTF_8);
        }

        public static Introduction read(ByteBuffer from) throws IOException {
            String[] lines = StandardCharsets.UTF_8.decode(from).toString().split("\n", -1);
            if (lines.length != 5 || !lines[0].equals(VERSION)) {
                throw new IOException("the peer does not begin with " + VERSION);
            }
            return new Introduction(lines[1], lines[2], lines[3], lines[4]);
        }
    }

    /** A part of a block, whose bytes follow it. */
    public record Segment(int block, long blockBytes, long offset, int length) {
        public static final int BYTES = Integer.BYTES + 2 * Long.BYTES + Integer.BYTES;

        public void write(ByteBuffer to) {
            to.putInt(block).putLong(blockBytes).putLong(offset).putInt(length);
        }

        /** Reads one of a message that has at least its bytes. */
        public static Segment read(ByteBuffer from) throws IOException {
            try {
                Segment segment = new Segment(from.getInt(), from.getLong(), from.getLong(), from.getInt());
                if (segment.length < 0 || segment.length > from.remaining()) {
                    throw new IOException("a segment of " + segment.length + " bytes is announced, but only "
                            + from.remaining() + " are there");
                }
                return segment;
            } catch (BufferUnderflowException e) {
                throw new IOException("the message ends within a segment's header", e);
            }
        }
    }

    public static int requestBytes(int blocks) {
        return HEADER_BYTES + blocks * BlockNumbers.BYTES;
    }

    public static void writeRequest(ByteBuffer to, long request, List<BlockNumbers> blocks) {
        to.put(REQUEST).putLong(request);
        blocks.forEach(block -> block.write(to));
        to.flip();
    }

    /** Reads what follows the header of a request. */
    public static List<BlockNumbers> readRequest(ByteBuffer from) throws IOException {
        if (from.remaining() % BlockNumbers.BYTES != 0) {
            throw new IOException("a request of " + from.remaining() + " bytes");
        }
        List<BlockNumbers> blocks = new ArrayList<>();
        while (from.hasRemaining()) {
            blocks.add(BlockNumbers.read(from));
        }
        return blocks;
    }

    public static int failureBytes() {
        return HEADER_BYTES + 4 * LONGEST_TEXT;
    }

    public static void writeFailure(ByteBuffer to, long request, String text) {
        String cut = text.substring(0, Math.min(LONGEST_TEXT, text.length()));
        to.put(FAILED)
                .putLong(request)
                .put(cut.getBytes(StandardCharsets.UTF_8))
                .flip();
    }

    public static String readFailure(ByteBuffer from) {
        return StandardCharsets.UTF_8.decode(from).toString();
    }
}
