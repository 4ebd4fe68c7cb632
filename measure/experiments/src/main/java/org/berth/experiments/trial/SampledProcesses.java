package org.berth.experiments.trial;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.experiments.Experiment.ThreadScope;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessSample;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.ThreadSampler;
import org.berth.observation.internal.process.ChildProcesses;

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
    private final Map<String, String> problems = new LinkedHashMap<>();
    private Set<Long> alive = Set.of();
    private int samples;

    /** @param rootIsWork whether the root is part of the work, and not berth-exec above it */
    SampledProcesses(ProcessHandle root, ThreadScope scope, boolean rootIsWork) {
        this.scope = scope;
        this.rootIsWork = rootIsWork;
        this.root = root.pid();
        members.put(root.pid(), root);
    }

    /** A sample of each living process in scope, by its PID. */
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
                .mapToLong(pid -> known(
                        ProcessStatus.read(pid).map(ProcessStatus::residentBytes), "the memory of process " + pid, 0L))
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
        } catch (NoSuchProcessException ended) {
            // It was there a moment ago.
        } catch (ObservationException hidden) {
            problem("what the threads of process " + pid + " do", String.valueOf(hidden.getMessage()));
        }
    }

    private void collect(long pid, Set<Long> pids) {
        if (!pids.add(pid)) {
            return;
        }
        for (int child : known(ChildProcesses.of(pid), "what process " + pid + " has started", List.<Integer>of())) {
            collect(child, pids);
        }
    }

    /** Recognises a JVM by its library, not by the name of the program: any program may hold a JVM. */
    private boolean isJvm(long pid) {
        return known(
                SystemFiles.LIVE
                        .read("proc/" + pid + "/maps")
                        .map(maps -> maps.lines().anyMatch(line -> line.endsWith("/libjvm.so"))),
                "whether process " + pid + " is a JVM",
                false);
    }

    /** What was read, or the other where the process has ended; a refusal is a problem, told once of its kind. */
    private <T> T known(Reading<T> reading, String what, T other) {
        reading.refusal().ifPresent(refusal -> problem(what, refusal.toString()));
        return reading.orElse(other);
    }

    private void problem(String what, String why) {
        problems.putIfAbsent(what.replaceAll("\\d+", ""), what + " is not known: " + why);
    }

    /** What could not be seen of the processes, and why; one line each. */
    List<String> problems() {
        return List.copyOf(problems.values());
    }

    @Override
    public void close() {
        samplers.values().forEach(ThreadSampler::close);
        samplers.clear();
    }
}
