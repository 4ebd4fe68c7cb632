package org.berth.observation.internal;

/** Bytes that are read into again and again; grows to the largest text met. */
public final class ReadBuffer {
    private byte[] bytes = new byte[8192];

    public byte[] bytes() {
        return bytes;
    }

    void grow() {
        bytes = new byte[bytes.length * 2];
    }
}
