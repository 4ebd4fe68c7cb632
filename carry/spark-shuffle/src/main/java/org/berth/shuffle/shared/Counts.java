package org.berth.shuffle.shared;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.spark.metrics.source.Source;

/**
 * What an executor has fetched and served, as gauges of Spark's metrics system:
 * {@code <application>.<executor>.berth-shuffle.<name>}. Thread-safe.
 */
public final class Counts implements Source {
    static final String NAME = "berth-shuffle";

    private final MetricRegistry registry = new MetricRegistry();
    public final LongAdder receivedBlocks = adder("receivedBlocks");
    public final LongAdder receivedBytes = adder("receivedBytes");
    /** Blocks of other executors that Spark's own client was asked for. */
    public final LongAdder sparkBlocks = adder("sparkBlocks");
    /** The part of them that the transport had been asked for before. */
    public final LongAdder retriedBlocks = adder("retriedBlocks");
    /** Bytes that were copied to the heap, as they might be held for long. */
    public final LongAdder copiedBytes = adder("copiedBytes");

    public final LongAdder servedBlocks = adder("servedBlocks");
    public final LongAdder servedBytes = adder("servedBytes");

    private final LongAdder ucxPeers = adder("ucxPeers");
    private final LongAdder localPeers = adder("localPeers");
    private final LongAdder tcpPeers = adder("tcpPeers");

    /** Another executor's blocks come over this provider; each connection counts. */
    public void connected(String provider) {
        switch (provider) {
            case "ucx" -> ucxPeers.increment();
            case "local" -> localPeers.increment();
            default -> tcpPeers.increment();
        }
    }

    private LongAdder adder(String name) {
        LongAdder adder = new LongAdder();
        gauge(name, adder::sum);
        return adder;
    }

    public void gauge(String name, LongSupplier value) {
        Gauge<Long> gauge = value::getAsLong;
        registry.register(name, gauge);
    }

    @Override
    public String sourceName() {
        return NAME;
    }

    @Override
    public MetricRegistry metricRegistry() {
        return registry;
    }

    @Override
    public String toString() {
        return "fetched " + receivedBlocks + " blocks of " + receivedBytes + " bytes over the transport and "
                + sparkBlocks
                + " blocks over Spark's own connections (" + retriedBlocks + " after the transport failed), served "
                + servedBlocks + " blocks of " + servedBytes + " bytes";
    }
}
