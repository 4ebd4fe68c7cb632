package org.berth.experiments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.experiments.Experiment.ThreadScope;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSampler;

/**
 * Samples a process and everything that it starts. The members are looked up often in the first
 * seconds, in which launchers start their JVMs, and seldom later. A child that cuts itself loose (a daemon)
 * before it is seen stays unseen.
 */
final class SampledProcesses implements AutoCloseable {
    private static final int EAGER_SAMPLES = 40;
    private static final int REFRESH_EVERY_SAMPLES = 8;

    private final ThreadScope scope;
    private final long root;
    private final boolean rootIsWork;
    private final Map<Long, ProcessHandle> members = new LinkedHashMap<>();
    private final Map<Long, ThreadSampler> samplers = new LinkedHashMap<>();
    private Set<Long> alive = Set.of();
    private int samples;

    /** @param rootIsWork whether the root is part of the work, and not berth-exec above it */
    SampledProcesses(ProcessHandle root, ThreadScope scope, boolean rootIsWork) {
        this.scope = scope;
        this.rootIsWork = rootIsWork;
        this.root = root.pid();
        members.put(root.pid(), root);
    }

    /** A sample of each process in scope that lives now, by its pid. */
    Map<Long, ProcessSample> sample() {
        if (samples < EAGER_SAMPLES || samples % REFRESH_EVERY_SAMPLES == 0) {
            refresh();
        }
        samples++;
        Map<Long, ProcessSample> living = new LinkedHashMap<>();
        for (ThreadSampler sampler : List.copyOf(samplers.values())) {
            try {
                living.put(sampler.pid(), sampler.sample());
            } catch (NoSuchProcessException ended) {
                sampler.close();
                samplers.remove(sampler.pid());
            }
        }
        return living;
    }

    /** Memory in RAM of all processes of the work together, whatever the scope; a page that two share counts twice. */
    long residentBytes() {
        return alive.stream()
                .filter(pid -> rootIsWork || pid != root)
                .mapToLong(ResidentMemory::bytes)
                .sum();
    }

    /** Every process that was ever seen, the root first; a handle knows a process from a later one of the same number. */
    List<ProcessHandle> members() {
        return List.copyOf(members.values());
    }

    private void refresh() {
        Set<Long> found = new HashSet<>();
        collect(root, found);
        for (ProcessHandle member : members.values()) {
            if (member.isAlive()) {
                collect(member.pid(), found); // its parent may have ended
            }
        }
        alive = found;
        for (long pid : found) {
            if (!members.containsKey(pid)) {
                ProcessHandle.of(pid).ifPresent(handle -> members.put(pid, handle));
            }
            boolean isWork = rootIsWork || pid != root;
            if (isWork && !samplers.containsKey(pid) && (scope == ThreadScope.ALL || isJvm(pid))) {
                open(pid);
            }
        }
    }

    private void open(long pid) {
        try {
            samplers.put(pid, ThreadSampler.of(pid));
        } catch (ObservationException ended) {
            // It was there a moment ago; a process that hides from us altogether shows as zero sampled processes.
        }
    }

    private static void collect(long pid, Set<Long> pids) {
        if (!pids.add(pid)) {
            return;
        }
        for (long child : children(pid)) {
            collect(child, pids);
        }
    }

    /** Each thread lists the processes that it started. Kernels without that file: the whole process table is read. */
    private static List<Long> children(long pid) {
        Path tasks = Path.of("/proc", Long.toString(pid), "task");
        String[] tids = tasks.toFile().list();
        List<Long> children = new ArrayList<>();
        for (String tid : tids == null ? new String[0] : tids) {
            try {
                String text = Files.readString(tasks.resolve(tid).resolve("children"), StandardCharsets.US_ASCII);
                text.lines()
                        .flatMap(line -> Stream.of(line.trim().split(" ", -1)))
                        .filter(child -> !child.isEmpty())
                        .forEach(child -> children.add(Long.valueOf(child)));
            } catch (IOException endedOrAbsent) {
                if (Files.exists(tasks.resolve(tid))) {
                    return ProcessHandle.of(pid).stream()
                            .flatMap(ProcessHandle::children)
                            .map(ProcessHandle::pid)
                            .toList();
                }
            }
        }
        return children;
    }

    /** Recognises a JVM by its library, not by the name of the program: any program may hold a JVM. */
    private static boolean isJvm(long pid) {
        Path maps = Path.of("/proc", Long.toString(pid), "maps");
        try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.endsWith("/libjvm.so"));
        } catch (IOException | UncheckedIOException ended) {
            return false;
        }
    }

    @Override
    public void close() {
        samplers.values().forEach(ThreadSampler::close);
        samplers.clear();
    }
}
