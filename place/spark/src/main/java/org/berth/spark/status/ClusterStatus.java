package org.berth.spark.status;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.spark.status.ExecutorStatus.Counters;
import org.berth.topology.Topology;

/**
 * All executors of an application at one moment, by host: what the page and its JSON show. Immutable.
 *
 * @param nowMillis milliseconds since 1970 by the driver's clock, like all times here
 * @param hosts ordered by name
 * @param silent executors that have sent no status yet
 * @param notKept how many executors the driver has no room to keep
 * @param total counters of all executors, including those that have ended
 * @param endedExecutors how many have ended
 */
public record ClusterStatus(
        long nowMillis,
        List<Host> hosts,
        List<SilentExecutor> silent,
        int notKept,
        Counters total,
        long endedExecutors) {

    /** An executor's last status, and when it was received. */
    public record Executor(ExecutorStatus status, long receivedMillis) {
        public int busySlots() {
            return (int) status.slots().stream()
                    .filter(slot -> !slot.tasks().isEmpty())
                    .count();
        }
    }

    /** An executor that has sent no status since Spark added it. */
    public record SilentExecutor(String executorId, String host, long addedMillis) {}

    /** A machine, or why it is not known. */
    public record Machine(Optional<Topology> topology, String problem) {
        static final Machine UNKNOWN = new Machine(Optional.empty(), "no executor has described it so far");
    }

    /** A host by Spark's name, with its executors in the order of their numbers. */
    public record Host(String name, Machine machine, List<Executor> executors) {}

    static ClusterStatus of(
            long nowMillis,
            List<Executor> executors,
            Map<String, Machine> machines,
            List<SilentExecutor> silent,
            int notKept,
            Counters total,
            long endedExecutors) {
        Map<String, List<Executor>> byHost = new TreeMap<>();
        for (Executor executor : executors) {
            byHost.computeIfAbsent(executor.status().host(), host -> new ArrayList<>())
                    .add(executor);
        }
        List<Host> hosts = new ArrayList<>();
        byHost.forEach((name, here) -> {
            here.sort(Comparator.comparing(
                    (Executor executor) -> executor.status().executorId(), ClusterStatus::byNumber));
            hosts.add(new Host(name, machine(here, machines), List.copyOf(here)));
        });
        return new ClusterStatus(nowMillis, List.copyOf(hosts), silent, notKept, total, endedExecutors);
    }

    /** All executors of a host have the same machine, unless it has just changed: then the newest status counts. */
    private static Machine machine(List<Executor> executors, Map<String, Machine> machines) {
        return executors.stream()
                .filter(executor -> machines.containsKey(executor.status().topologyId()))
                .max(Comparator.comparingLong(Executor::receivedMillis))
                .map(executor -> machines.getOrDefault(executor.status().topologyId(), Machine.UNKNOWN))
                .orElse(Machine.UNKNOWN);
    }

    /** "10" after "9". */
    private static int byNumber(String one, String other) {
        return one.length() != other.length() ? one.length() - other.length() : one.compareTo(other);
    }

    public List<Executor> executors() {
        return hosts.stream().flatMap(host -> host.executors().stream()).toList();
    }
}
