package org.berth.mapreduce.runtime.blocks;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** What serializers write to. Java's own stream takes a lock for each call, which costs more than to copy a short word. */
public final class RecordStream extends DataOutputStream {
    public RecordStream(OutputStream out) {
        super(out);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread writes a record
    public void write(int b) throws IOException {
        out.write(b);
        count(1);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        count(length);
    }

    private void count(int bytes) {
        int sum = written + bytes;
        written = sum < 0 ? Integer.MAX_VALUE : sum;
    }
}
