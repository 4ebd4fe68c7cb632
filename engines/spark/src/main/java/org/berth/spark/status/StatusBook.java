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
import org.berth.binding.Reason;
import org.berth.spark.status.ExecutorStatus.Counters;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.TopologyXml;

/**
 * What the driver knows of its executors: the last status of each one that lives, and their machines. Lost executors are
 * forgotten but for their counters. The memory is bounded, whatever executors send. Thread-safe.
 */
public final class StatusBook {
    /** 32 MB of text: ten thousand executors with eight slots each. */
    static final long MOST_CHARACTERS = 16L << 20;

    static final int MOST_MACHINES = 64;
    private static final int LONGEST_MACHINE = 8 << 20;
    private static final int MOST_GONE = 10_000;

    private final Map<String, UiView.Seat> living = new LinkedHashMap<>();
    private final Map<String, UiView.Silent> silent = new TreeMap<>();
    private final Map<String, UiView.Machine> machines = new LinkedHashMap<>();
    private final Set<String> gone = new LinkedHashSet<>();
    private final Set<String> refused = new LinkedHashSet<>();
    private Counters ended = Counters.NONE;
    private long endedExecutors;
    private long characters;

    /** Spark has a new executor, which should send something soon. */
    public synchronized void expect(String executorId, String host, long nowMillis) {
        if (!living.containsKey(executorId) && !gone.contains(executorId) && silent.size() < MOST_GONE) {
            silent.put(executorId, new UiView.Silent(executorId, host, nowMillis));
        }
    }

    /**
     * Keeps the status in the place of the executor's former one.
     *
     * @return whether the executor is on a machine that is not known yet and should send it
     */
    public synchronized boolean put(ExecutorStatus status, long nowMillis) {
        String id = status.executorId();
        silent.remove(id);
        if (gone.contains(id)) {
            return false; // was on its way when the executor was lost
        }
        remove(id);
        if (characters + status.characters() > MOST_CHARACTERS) {
            if (refused.size() < MOST_GONE) {
                refused.add(id);
            }
            return false;
        }
        refused.remove(id);
        living.put(id, new UiView.Seat(status, nowMillis));
        characters += status.characters();
        return !status.topologyId().isEmpty() && !machines.containsKey(status.topologyId());
    }

    /** A machine; one that cannot be read is known, too, with the reason, and not asked for again. */
    public void learn(StatusTopology topology) {
        UiView.Machine machine = parse(topology);
        synchronized (this) {
            if (machines.size() >= MOST_MACHINES) {
                Set<String> used = new LinkedHashSet<>();
                living.values().forEach(seat -> used.add(seat.status().topologyId()));
                machines.keySet().retainAll(used);
            }
            machines.put(
                    topology.id(),
                    machines.size() < MOST_MACHINES
                            ? machine
                            : new UiView.Machine(Optional.empty(), "there are more than " + MOST_MACHINES + " kinds"));
        }
    }

    private static UiView.Machine parse(StatusTopology topology) {
        if (topology.xml().length() > LONGEST_MACHINE) {
            return new UiView.Machine(Optional.empty(), "its description is longer than 8 MiB");
        }
        try {
            Topology machine = TopologyXml.parse(topology.xml());
            return new UiView.Machine(Optional.of(machine), "");
        } catch (TopologyException e) {
            return new UiView.Machine(Optional.empty(), Reason.of(e));
        }
    }

    /** Spark has lost or removed the executor. */
    public synchronized void forget(String executorId) {
        silent.remove(executorId);
        refused.remove(executorId);
        UiView.Seat seat = living.get(executorId);
        if (seat != null) {
            ended = ended.plus(seat.status().counters().withoutMemory());
            endedExecutors++;
        }
        remove(executorId);
        gone.add(executorId);
        if (gone.size() > MOST_GONE) {
            gone.remove(gone.iterator().next());
        }
    }

    private void remove(String executorId) {
        UiView.Seat seat = living.remove(executorId);
        if (seat != null) {
            characters -= seat.status().characters();
        }
    }

    /** The counters of all executors, those that are gone included. */
    synchronized Counters total() {
        Counters sum = ended;
        for (UiView.Seat seat : living.values()) {
            sum = sum.plus(seat.status().counters());
        }
        return sum;
    }

    /** Everything, as it is now. */
    public synchronized UiView view(long nowMillis) {
        List<UiView.Seat> seats = new ArrayList<>(living.values());
        Map<String, UiView.Machine> known = Collections.unmodifiableMap(new LinkedHashMap<>(machines));
        return UiView.of(
                nowMillis, seats, known, List.copyOf(silent.values()), refused.size(), total(), endedExecutors);
    }
}
