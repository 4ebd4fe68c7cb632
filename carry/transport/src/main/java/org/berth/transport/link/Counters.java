package org.berth.transport.link;

import java.util.concurrent.atomic.LongAdder;

/** Sums of an engine since its start. Thread-safe. It is not part of the API. */
public final class Counters {
    public final LongAdder messagesSent = new LongAdder();
    public final LongAdder bytesSent = new LongAdder();
    public final LongAdder messagesReceived = new LongAdder();
    public final LongAdder bytesReceived = new LongAdder();
    public final LongAdder pauses = new LongAdder();
    public final LongAdder failures = new LongAdder();

    public Counters() {}
}
