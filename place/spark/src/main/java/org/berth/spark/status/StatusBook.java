package org.berth.spark.status;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.spark.status.ExecutorStatus.Counters;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.xml.TopologyXml;

/**
 * The driver's record of its executors: the last status of each live one, and their machines. Only the counters of lost
 * executors are kept. Its memory is bounded, whatever executors send. Thread-safe.
 */
public final class StatusBook {
    /** 32 MB of text: ten thousand executors with eight slots each. */
    static final long MAX_CHARACTERS = 16L << 20;

    static final int MAX_MACHINES = 64;
    private static final int MAX_MACHINE_CHARACTERS = 8 << 20;
    private static final int MAX_GONE = 10_000;

    private final Map<String, ClusterStatus.Executor> living = new LinkedHashMap<>();
    private final Map<String, ClusterStatus.SilentExecutor> silent = new TreeMap<>();
    private final Map<String, ClusterStatus.Machine> machines = new LinkedHashMap<>();
    private final Set<String> gone = new LinkedHashSet<>();
    private final Set<String> refused = new LinkedHashSet<>();
    private Counters ended = Counters.NONE;
    private long endedExecutors;
    private long characters;

    /** Records a new executor of Spark, which should send a status soon. */
    public synchronized void expect(String executorId, String host, long nowMillis) {
        if (!living.containsKey(executorId) && !gone.contains(executorId) && silent.size() < MAX_GONE) {
            silent.put(executorId, new ClusterStatus.SilentExecutor(executorId, host, nowMillis));
        }
    }

    /**
     * Replaces the executor's status.
     *
     * @return whether the machine of the executor is not known yet, and the executor should send it
     */
    public synchronized boolean put(ExecutorStatus status, long nowMillis) {
        String id = status.executorId();
        silent.remove(id);
        if (gone.contains(id)) {
            return false; // sent before the executor was lost
        }
        remove(id);
        if (characters + status.characters() > MAX_CHARACTERS) {
            if (refused.size() < MAX_GONE) {
                refused.add(id);
            }
            return false;
        }
        refused.remove(id);
        living.put(id, new ClusterStatus.Executor(status, nowMillis));
        characters += status.characters();
        return !status.topologyId().isEmpty() && !machines.containsKey(status.topologyId());
    }

    /** Records a machine; one that cannot be read is recorded with the reason, and not requested again. */
    public void learn(StatusTopology topology) {
        ClusterStatus.Machine machine = parse(topology);
        synchronized (this) {
            if (machines.size() >= MAX_MACHINES) {
                Set<String> used = new LinkedHashSet<>();
                living.values().forEach(executor -> used.add(executor.status().topologyId()));
                machines.keySet().retainAll(used);
            }
            machines.put(
                    topology.id(),
                    machines.size() < MAX_MACHINES
                            ? machine
                            : new ClusterStatus.Machine(
                                    Optional.empty(), "there are more than " + MAX_MACHINES + " kinds"));
        }
    }

    private static ClusterStatus.Machine parse(StatusTopology topology) {
        if (topology.xml().length() > MAX_MACHINE_CHARACTERS) {
            return new ClusterStatus.Machine(Optional.empty(), "its description is longer than 8 MiB");
        }
        try {
            Topology machine = TopologyXml.parse(topology.xml());
            return new ClusterStatus.Machine(Optional.of(machine), "");
        } catch (TopologyException e) {
            return new ClusterStatus.Machine(Optional.empty(), FailureText.of(e));
        }
    }

    /** Records that Spark has lost or removed the executor. */
    public synchronized void forget(String executorId) {
        silent.remove(executorId);
        refused.remove(executorId);
        ClusterStatus.Executor executor = living.get(executorId);
        if (executor != null) {
            ended = ended.plus(executor.status().counters().withoutMemory());
            endedExecutors++;
        }
        remove(executorId);
        gone.add(executorId);
        if (gone.size() > MAX_GONE) {
            gone.remove(gone.iterator().next());
        }
    }

    private void remove(String executorId) {
        ClusterStatus.Executor executor = living.remove(executorId);
        if (executor != null) {
            characters -= executor.status().characters();
        }
    }

    /** The counters of all executors, including those that have ended. */
    synchronized Counters total() {
        Counters sum = ended;
        for (ClusterStatus.Executor executor : living.values()) {
            sum = sum.plus(executor.status().counters());
        }
        return sum;
    }

    /** The status of all executors now. */
    public synchronized ClusterStatus status(long nowMillis) {
        List<ClusterStatus.Executor> executors = new ArrayList<>(living.values());
        Map<String, ClusterStatus.Machine> known = Collections.unmodifiableMap(new LinkedHashMap<>(machines));
        return ClusterStatus.of(
                nowMillis, executors, known, List.copyOf(silent.values()), refused.size(), total(), endedExecutors);
    }
}
