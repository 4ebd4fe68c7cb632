package org.berth.topology.internal.xml;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Stops input that no machine's description needs, before an XML parser holds it in memory: too much of it, or a single
 * tag, text or comment of that length (each ends at the next "&lt;", which no attribute value can hold).
 */
public final class GuardedReader extends Reader {
    static final int MAX_CHARACTERS = 32 << 20;
    static final int MAX_CHARACTERS_BETWEEN_TAGS = 1 << 20;

    /** Some editors begin UTF-8 with it. XML has it before the declaration, and the JDK's parser not in characters. */
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final Reader source;
    private int total;
    private int sinceTag;

    public GuardedReader(Reader source) {
        this.source = source;
    }

    /**
     * Reads UTF-8, which is all that hwloc writes. Left to itself, the JDK's XML parser writes a line to the standard
     * error when bytes are wrong.
     */
    public static GuardedReader ofUtf8(InputStream source) {
        return new GuardedReader(new InputStreamReader(source, StandardCharsets.UTF_8.newDecoder()));
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        int count = readSource(buffer, offset, length);
        if (total == 0 && count > 0 && buffer[offset] == BYTE_ORDER_MARK) {
            total = 1;
            System.arraycopy(buffer, offset + 1, buffer, offset, --count);
            count = count == 0 ? readSource(buffer, offset, length) : count;
        }
        for (int i = offset; i < offset + count; i++) {
            sinceTag = buffer[i] == '<' ? 0 : sinceTag + 1;
            if (sinceTag > MAX_CHARACTERS_BETWEEN_TAGS) {
                throw new IOException(
                        "one tag or text is longer than the limit of " + MAX_CHARACTERS_BETWEEN_TAGS + " characters");
            }
        }
        total += Math.max(count, 0);
        if (total > MAX_CHARACTERS) {
            throw new IOException("longer than the limit of " + MAX_CHARACTERS + " characters");
        }
        return count;
    }

    private int readSource(char[] buffer, int offset, int length) throws IOException {
        try {
            return source.read(buffer, offset, length);
        } catch (CharacterCodingException e) {
            throw new IOException("not UTF-8 text", e);
        }
    }

    /** The source belongs to the caller. */
    @Override
    public void close() {}
}
