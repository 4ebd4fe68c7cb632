package org.berth.experiments.trial;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.berth.experiments.SamplingSummary;
import org.berth.observation.ProcessSample;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.internal.threads.Residency;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.MigrationCounter;
import org.berth.observation.threads.ThreadMigrations;
import org.berth.topology.Topology;

/** Adds up what sampling sees of one run. */
final class RunSampler {
    /** What binds a command and then becomes it; until then it is where it happened to be started. */
    private static final String LAUNCHER = "berth-exec";

    private final Topology topology;
    private final Expectation expectation;
    private final List<ThreadNamePattern> workers;
    private final Map<Long, OneProcess> processes = new HashMap<>();
    private final RemotePages remotePages;
    private final HugeHeaps hugeHeaps = new HugeHeaps();
    private final CollectorThreads collectors;
    private final TimelineRecorder timeline = new TimelineRecorder();
    private final BalancingRecorder balancing;
    private final long startNanos = System.nanoTime();
    private int samples;
    private long treePeakRssBytes;
    private int mostThreads;
    private long costNanos;

    /** @param balancing whether the kernel's counts of NUMA balancing matter */
    RunSampler(Topology topology, Expectation expectation, List<ThreadNamePattern> workers, boolean balancing) {
        this.topology = topology;
        this.expectation = expectation;
        this.workers = workers;
        this.remotePages = new RemotePages(topology);
        this.collectors = new CollectorThreads(topology);
        this.balancing = new BalancingRecorder(balancing, Path.of("/"));
    }

    /**
     * Each process is counted from its own first sample: what its leader did before, as a launcher that was just about to
     * bind itself, is not a matter of the work.
     */
    private record OneProcess(MigrationCounter migrations, Residency residency) {}

    void add(SampledProcesses tree) {
        long before = System.nanoTime();
        int threads = 0;
        Map<Long, ProcessSample> living = tree.sample();
        for (Map.Entry<Long, ProcessSample> process : living.entrySet()) {
            if (isLauncher(process.getKey(), process.getValue())) {
                continue;
            }
            OneProcess counters = processes.computeIfAbsent(
                    process.getKey(),
                    pid -> new OneProcess(new MigrationCounter(topology), new Residency(expectation)));
            counters.migrations.add(process.getValue());
            counters.residency.add(process.getValue());
            timeline.add(process.getKey(), process.getValue());
            threads += process.getValue().threads().size();
        }
        samples++;
        collectors.add(living.values());
        remotePages.add(samples, living);
        hugeHeaps.add(samples, living.keySet());
        balancing.add((before - startNanos) / 1e9, remotePages.latest());
        treePeakRssBytes = Math.max(treePeakRssBytes, tree.residentBytes());
        mostThreads = Math.max(mostThreads, threads);
        costNanos += System.nanoTime() - before;
    }

    private static boolean isLauncher(long pid, ProcessSample sample) {
        return sample.threads().stream()
                .anyMatch(thread -> thread.tid() == pid && thread.name().equals(LAUNCHER));
    }

    List<BalancingSample> balancing() {
        return balancing.samples();
    }

    TimelineRecorder timeline() {
        return timeline;
    }

    CollectorThreads collectors() {
        return collectors;
    }

    int processes() {
        return processes.size();
    }

    OptionalLong treePeakRssBytes() {
        return treePeakRssBytes == 0 ? OptionalLong.empty() : OptionalLong.of(treePeakRssBytes);
    }

    OptionalDouble remoteShare() {
        return remotePages.share();
    }

    Optional<String> memoryProblem() {
        return remotePages.problem();
    }

    Map<Integer, Long> nodeBytes() {
        return remotePages.nodeBytes();
    }

    HugeHeaps hugeHeaps() {
        return hugeHeaps;
    }

    SamplingSummary sampling() {
        MigrationCount migrations = MigrationCount.ZERO;
        MigrationCount ofWorkers = MigrationCount.ZERO;
        ResidencyShare residency = new ResidencyShare(0, 0);
        for (OneProcess process : processes.values()) {
            migrations = migrations.plus(process.migrations.count());
            for (ThreadMigrations thread : process.migrations.threads()) {
                ofWorkers = isWorker(thread.name()) ? ofWorkers.plus(thread.count()) : ofWorkers;
            }
            residency = residency.plus(process.residency.share());
        }
        return new SamplingSummary(
                samples, processes.size(), mostThreads, migrations, ofWorkers, residency, Duration.ofNanos(costNanos));
    }

    private boolean isWorker(String name) {
        return workers.isEmpty() || workers.stream().anyMatch(pattern -> pattern.mayMatch(name));
    }
}
