package org.berth.topology;

import java.io.IOException;
import java.io.InputStream;

/**
 * Stops input that no machine's description needs, before an XML parser holds it in memory: too much of it, or a single
 * tag, text or comment of that length (each ends at the next "&lt;", which no attribute value can hold).
 */
final class GuardedInput extends InputStream {
    static final int MAX_BYTES = 32 << 20;
    static final int MAX_BYTES_BETWEEN_TAGS = 1 << 20;

    private final InputStream source;
    private int total;
    private int sinceTag;

    GuardedInput(InputStream source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = source.read(buffer, offset, length);
        for (int i = offset; i < offset + count; i++) {
            sinceTag = buffer[i] == '<' ? 0 : sinceTag + 1;
            if (sinceTag > MAX_BYTES_BETWEEN_TAGS) {
                throw new IOException(
                        "one tag or text is longer than the limit of " + MAX_BYTES_BETWEEN_TAGS + " bytes");
            }
        }
        total += Math.max(count, 0);
        if (total > MAX_BYTES) {
            throw new IOException("longer than the limit of " + MAX_BYTES + " bytes");
        }
        return count;
    }
}
