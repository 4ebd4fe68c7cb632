package org.berth.cli.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.drawing.timeline.CpuRows;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.threads.MigrationCounter;
import org.berth.observation.threads.ThreadMigrations;
import org.berth.topology.CpuSet;

/** CPU time and migrations of each thread since the first sample. Used by one thread. */
final class ThreadTotals {
    /**
     * One living thread.
     *
     * @param load share of one CPU between the last two samples; 1 is all of it
     * @param migrations to another CPU: the kernel's exact count where it tells, else what the samples showed
     * @param nanosByNode CPU time by the NUMA node of the sampled CPU
     */
    record Row(
            int tid,
            String name,
            char state,
            int cpu,
            CpuSet allowed,
            double load,
            long migrations,
            long cpuNanos,
            SortedMap<Integer, Long> nanosByNode) {
        Row withName(String complete) {
            return new Row(tid, complete, state, cpu, allowed, load, migrations, cpuNanos, nanosByNode);
        }
    }

    private static final class Total {
        private final SortedMap<Integer, Long> nanosByNode = new TreeMap<>();
        private ThreadSnapshot last;
        private long cpuNanos;
        private long lastNanos;

        Total(ThreadSnapshot first) {
            this.last = first;
        }

        void add(ThreadSnapshot now) {
            lastNanos = Math.max(0, now.cpuTimeNanos() - last.cpuTimeNanos());
            cpuNanos += lastNanos;
            last = now;
        }
    }

    private final CpuRows cpus;
    private final MigrationCounter migrations;
    private final Map<Integer, Long> cpuNanosEver = new HashMap<>();
    private Map<Integer, Total> living = new HashMap<>();
    private long previousNanos;
    private long intervalNanos;

    /** @param migrations gets the samples from the caller before {@link #rows()} is called */
    ThreadTotals(CpuRows cpus, MigrationCounter migrations) {
        this.cpus = cpus;
        this.migrations = migrations;
    }

    void add(ProcessSample sample) {
        intervalNanos = sample.timeNanos() - previousNanos;
        previousNanos = sample.timeNanos();
        Map<Integer, Total> still = new HashMap<>();
        for (ThreadSnapshot thread : sample.threads()) {
            Total total = living.getOrDefault(thread.tid(), new Total(thread));
            total.add(thread);
            if (total.lastNanos > 0) {
                total.nanosByNode.merge(cpus.nodeOf(thread.lastCpu()), total.lastNanos, Long::sum);
            }
            cpuNanosEver.merge(thread.tid(), total.lastNanos, Long::sum);
            still.put(thread.tid(), total);
        }
        living = still;
    }

    /** CPU time since the first sample by thread id, including ended threads. */
    Map<Integer, Long> cpuNanos() {
        return Map.copyOf(cpuNanosEver);
    }

    /** Living threads by load in the last interval, then by total CPU time, highest first. */
    List<Row> rows() {
        Map<Integer, Long> counts = new HashMap<>();
        migrations.threads().stream()
                .filter(ThreadMigrations::alive)
                .forEach(thread -> counts.put(thread.tid(), thread.count().betweenCpus()));
        List<Row> rows = new ArrayList<>();
        for (Total total : living.values()) {
            ThreadSnapshot thread = total.last;
            double load = intervalNanos <= 0 ? 0 : (double) total.lastNanos / intervalNanos;
            rows.add(new Row(
                    thread.tid(),
                    thread.name(),
                    thread.state(),
                    thread.lastCpu(),
                    thread.allowed(),
                    load,
                    counts.getOrDefault(thread.tid(), 0L),
                    total.cpuNanos,
                    new TreeMap<>(total.nanosByNode)));
        }
        rows.sort(Comparator.comparingDouble(Row::load)
                .thenComparingLong(Row::cpuNanos)
                .reversed()
                .thenComparingInt(Row::tid));
        return rows;
    }
}
