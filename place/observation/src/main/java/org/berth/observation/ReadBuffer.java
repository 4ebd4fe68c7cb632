package org.berth.observation;

/** Bytes that are read into again and again; grows to the largest text met. */
final class ReadBuffer {
    private byte[] bytes = new byte[8192];

    byte[] bytes() {
        return bytes;
    }

    void grow() {
        bytes = new byte[bytes.length * 2];
    }
}
