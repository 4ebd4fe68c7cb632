package org.berth.cli.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.berth.drawing.timeline.CpuRows;
import org.berth.drawing.timeline.ThreadSummary;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.MigrationCounter;
import org.berth.observation.threads.ThreadMigrations;
import org.berth.observation.threads.ThreadTimeline;
import org.berth.observation.threads.ThreadTrack;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** All samples of one watch. Used by one thread. */
final class WatchRecord {
    private final CpuRows cpus;
    private final ThreadNamePattern names;
    private final ThreadTimeline timeline = new ThreadTimeline();
    private final MigrationCounter migrations;
    private final ThreadTotals totals;
    private CpuSet allowed = CpuSet.empty();
    private String name = "";
    private int samples;

    WatchRecord(Topology topology, ThreadNamePattern names) {
        this.cpus = CpuRows.of(topology);
        this.names = names;
        this.migrations = new MigrationCounter(topology);
        this.totals = new ThreadTotals(cpus, migrations);
    }

    void add(ProcessSample all) {
        List<ThreadSnapshot> threads =
                all.threads().stream().filter(names::mayMatch).toList();
        ProcessSample sample = new ProcessSample(all.timeNanos(), threads);
        // The leader is first and has the name of the program, also after an exec.
        name = all.threads().get(0).name();
        timeline.add(sample);
        migrations.add(sample);
        totals.add(sample);
        for (ThreadSnapshot thread : threads) {
            allowed = allowed.union(thread.allowed());
        }
        samples++;
    }

    /** The kernel's name of the program. */
    String name() {
        return name;
    }

    /** "java (process 4711)"; without a sample the kernel's name of the program is not known. */
    String title(long pid) {
        return name.isEmpty() ? "process " + pid : name + " (process " + pid + ")";
    }

    CpuRows cpus() {
        return cpus;
    }

    List<ThreadTotals.Row> rows() {
        return totals.rows();
    }

    int samples() {
        return samples;
    }

    long startNanos() {
        return timeline.fromNanos();
    }

    long endNanos() {
        return timeline.toNanos();
    }

    double seconds() {
        return (endNanos() - startNanos()) / 1e9;
    }

    /** CPUs that any of the threads was allowed to use at any time. */
    CpuSet allowed() {
        return allowed;
    }

    MigrationCount migrations() {
        return migrations.count();
    }

    /**
     * The threads that ran at all, by CPU time.
     *
     * @param complete complete names by thread id, where they are known; the kernel keeps 15 bytes
     */
    List<ThreadSummary> summaries(Map<Integer, String> complete) {
        Map<Integer, MigrationCount> counts = new HashMap<>();
        for (ThreadMigrations thread : migrations.threads()) {
            counts.merge(thread.tid(), thread.count(), MigrationCount::plus);
        }
        Map<Integer, Long> cpuNanos = totals.cpuNanos();
        List<ThreadSummary> summaries = new ArrayList<>();
        for (ThreadTrack track : timeline.tracks()) {
            summaries.add(new ThreadSummary(
                    new ThreadTrack(track.tid(), complete.getOrDefault(track.tid(), track.name()), track.runs()),
                    cpuNanos.getOrDefault(track.tid(), 0L),
                    counts.getOrDefault(track.tid(), MigrationCount.ZERO)));
        }
        summaries.sort(Comparator.comparingLong(ThreadSummary::cpuNanos)
                .reversed()
                .thenComparing(summary -> summary.track().tid()));
        return summaries;
    }

    /** Migrations that the kernel counted, and those between samples, one line each. */
    static List<String> describe(MigrationCount migrations) {
        List<String> lines = new ArrayList<>();
        if (migrations.kernelBetweenCpus().isPresent()) {
            lines.add("Migrations between CPUs by the kernel's count: "
                    + migrations.kernelBetweenCpus().getAsLong() + ".");
        }
        lines.add(String.format(
                Locale.ROOT,
                "Migrations seen in samples: %d between CPUs, %d between cores, %d between last-level caches, %d between"
                        + " packages, %d between NUMA nodes.",
                migrations.seenBetweenCpus(),
                migrations.seenBetweenCores(),
                migrations.seenBetweenCaches(),
                migrations.seenBetweenPackages(),
                migrations.seenBetweenNodes()));
        return lines;
    }
}
