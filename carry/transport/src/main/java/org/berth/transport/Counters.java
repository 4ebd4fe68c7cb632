package org.berth.transport;

import java.util.concurrent.atomic.LongAdder;

/** Sums of an engine since its start. Thread-safe. */
final class Counters {
    final LongAdder messagesSent = new LongAdder();
    final LongAdder bytesSent = new LongAdder();
    final LongAdder messagesReceived = new LongAdder();
    final LongAdder bytesReceived = new LongAdder();
    final LongAdder pauses = new LongAdder();
    final LongAdder failures = new LongAdder();
}
