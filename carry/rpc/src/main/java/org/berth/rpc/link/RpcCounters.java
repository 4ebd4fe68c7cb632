package org.berth.rpc.link;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.berth.text.Words;

/**
 * Counters of this process in Hadoop's metrics, and so in JMX and at /jmx of a daemon, as {@code name=BerthRpc}.
 * Thread-safe.
 */
public final class RpcCounters implements MetricsSource {
    static final String NAME = "BerthRpc";

    private static final RpcCounters INSTANCE = new RpcCounters();

    private final AtomicBoolean registered = new AtomicBoolean();
    private final LongAdder callsSent = new LongAdder();
    private final LongAdder callsStock = new LongAdder();
    private final LongAdder callsServed = new LongAdder();
    private final LongAdder callsInline = new LongAdder();
    private final LongAdder connectionsOpened = new LongAdder();
    private final Map<String, LongAdder> openedBy =
            Map.of("ucx", new LongAdder(), "local", new LongAdder(), "tcp", new LongAdder());
    private final LongAdder connectionsAccepted = new LongAdder();
    private final LongAdder connectionsOpen = new LongAdder();
    private final LongAdder refusals = new LongAdder();

    private RpcCounters() {}

    /** The counters of this process. */
    public static RpcCounters instance() {
        return INSTANCE;
    }

    /** A client's call went over the transport. */
    public void callSent() {
        callsSent.increment();
    }

    /** A client's call went over Hadoop's own connection. */
    public void callStock() {
        callsStock.increment();
    }

    /** A server took a call from the transport. */
    public void callServed() {
        callsServed.increment();
    }

    /** A server ran a call on the thread that received it. */
    public void callInline() {
        callsInline.increment();
    }

    /**
     * A client has a new connection.
     *
     * @param provider that carries it
     */
    public void connectionOpened(String provider) {
        connectionsOpened.increment();
        LongAdder byProvider = openedBy.get(provider);
        if (byProvider != null) {
            byProvider.increment();
        }
    }

    /** A server has a new connection. */
    public void connectionAccepted() {
        connectionsAccepted.increment();
        connectionsOpen.increment();
    }

    /** A server's connection has ended. */
    public void connectionClosed() {
        connectionsOpen.decrement();
    }

    /** A server refused a client the transport. */
    public void refused() {
        refusals.increment();
    }

    void register() {
        if (registered.compareAndSet(false, true)) {
            try {
                DefaultMetricsSystem.instance().register(NAME, "Hadoop RPC over Berth's transport", this);
            } catch (MetricsException e) {
                RpcLog.warnOnce("no metrics " + NAME + ": " + e.getMessage());
            }
        }
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("rpc");
        counter(record, "CallsSent", "Calls of clients over the transport", callsSent.sum());
        counter(record, "CallsStock", "Calls of clients over Hadoop's own connections", callsStock.sum());
        counter(record, "CallsServed", "Calls that servers took from the transport", callsServed.sum());
        counter(record, "CallsInline", "Calls that ran on the thread that received them", callsInline.sum());
        counter(record, "ConnectionsOpened", "Connections that clients opened", connectionsOpened.sum());
        openedBy.forEach((provider, opened) -> counter(
                record,
                "Opened" + Words.capital(provider),
                "Those of them that " + provider + " carries",
                opened.sum()));
        counter(record, "ConnectionsAccepted", "Connections that servers accepted", connectionsAccepted.sum());
        record.addGauge(Interns.info("ConnectionsOpen", "Connections of servers that are open"), connectionsOpen.sum());
        counter(record, "Refusals", "Clients that servers refused the transport", refusals.sum());
        long[] sums = RpcTransports.messages();
        counter(record, "MessagesSent", "Messages that the transport sent", sums[0]);
        counter(record, "BytesSent", "Bytes that the transport sent", sums[1]);
        counter(record, "MessagesReceived", "Messages that the transport received", sums[2]);
        counter(record, "BytesReceived", "Bytes that the transport received", sums[3]);
        record.addGauge(Interns.info("LeasedBuffers", "Buffers of messages in flight"), sums[4]);
    }

    private static void counter(MetricsRecordBuilder record, String name, String what, long value) {
        record.addCounter(Interns.info(name, what), value);
    }
}
