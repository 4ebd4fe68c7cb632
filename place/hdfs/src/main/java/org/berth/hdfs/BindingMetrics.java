package org.berth.hdfs;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.berth.placement.internal.dynamic.AffinityClass;
import org.berth.placement.internal.dynamic.Decision;

/**
 * Counters in Hadoop's metrics, and so in JMX and at /jmx of the DataNode: Hadoop:service=DataNode,name=BerthAffinity.
 * Thread-safe.
 */
final class BindingMetrics implements MetricsSource {
    static final String NAME = "BerthAffinity";

    private final HdfsFailures failures;
    private final Map<BlockWork, LongAdder> works = new EnumMap<>(BlockWork.class);
    private final Map<AffinityClass, LongAdder> classes = new EnumMap<>(AffinityClass.class);
    private final LongAdder nowhere = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final LongAdder gaveBack = new LongAdder();
    private final LongAdder services = new LongAdder();
    private final LongAdder decisionNanos = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

    BindingMetrics(HdfsFailures failures) {
        this.failures = failures;
        for (BlockWork work : BlockWork.values()) {
            works.put(work, new LongAdder());
        }
        for (AffinityClass kind : AffinityClass.values()) {
            classes.put(kind, new LongAdder());
        }
    }

    void decided(Decision decision, BlockWork work, boolean byConnection, long nanos) {
        if (byConnection) {
            connections.increment();
        }
        adder(works, work).increment();
        decision.chosen().ifPresentOrElse(kind -> adder(classes, kind).increment(), nowhere::increment);
        decisionNanos.add(nanos);
        longestNanos.accumulate(nanos);
    }

    void gaveBack(int threads) {
        gaveBack.add(threads);
    }

    void boundServices(int threads) {
        services.add(threads);
    }

    private static <K> LongAdder adder(Map<K, LongAdder> adders, K key) {
        return Objects.requireNonNull(adders.get(key));
    }

    void register() {
        DefaultMetricsSystem.instance().register(NAME, "Bindings of the threads of this DataNode", this);
    }

    void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        works.forEach((work, count) -> counter(
                record, "Threads" + capital(work.word()), "Threads bound to " + work.word() + " a block", count.sum()));
        classes.forEach((kind, count) -> counter(
                record, "Class" + kind.name(), "Threads bound to a core of class " + kind.label(), count.sum()));
        counter(record, "NoCore", "Threads that got no core in particular", nowhere.sum());
        counter(
                record,
                "OwnConnection",
                "Threads bound by the CPU of their own connection, instead of the whole adapter",
                connections.sum());
        counter(record, "GivenBack", "Waiting threads that got their former CPUs back", gaveBack.sum());
        counter(record, "ServiceThreads", "Service threads of volumes bound near their disk", services.sum());
        counter(record, "DecisionNanos", "Time of all decisions", decisionNanos.sum());
        counter(record, "LongestDecisionNanos", "Time of the longest decision", longestNanos.get());
        counter(record, "Failures", "Threads that could not be bound or restored", failures.count());
    }

    private static void counter(MetricsRecordBuilder record, String name, String what, long value) {
        record.addCounter(Interns.info(name, what), value);
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
