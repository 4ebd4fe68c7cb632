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
 * All executors at one moment, host by host: what the page and its JSON show. Immutable.
 *
 * @param nowMillis by the driver's clock, as all other times here
 * @param hosts by name
 * @param silent executors that have sent nothing so far
 * @param notKept how many executors have no room in the driver's memory
 * @param total counters of all executors, those that are gone included
 * @param endedExecutors how many are gone
 */
public record UiView(
        long nowMillis, List<Host> hosts, List<Silent> silent, int notKept, Counters total, long endedExecutors) {

    /** An executor's last status, and when it came. */
    public record Seat(ExecutorStatus status, long receivedMillis) {
        public int busySlots() {
            return (int) status.slots().stream()
                    .filter(slot -> !slot.tasks().isEmpty())
                    .count();
        }
    }

    /** An executor that has sent nothing since Spark added it. */
    public record Silent(String executorId, String host, long addedMillis) {}

    /** A machine, or why there is none. */
    public record Machine(Optional<Topology> topology, String problem) {
        static final Machine UNKNOWN = new Machine(Optional.empty(), "no executor has described it so far");
    }

    /** A host as Spark knows it, with the executors in the order of their numbers. */
    public record Host(String name, Machine machine, List<Seat> seats) {}

    static UiView of(
            long nowMillis,
            List<Seat> seats,
            Map<String, Machine> machines,
            List<Silent> silent,
            int notKept,
            Counters total,
            long endedExecutors) {
        Map<String, List<Seat>> byHost = new TreeMap<>();
        for (Seat seat : seats) {
            byHost.computeIfAbsent(seat.status().host(), host -> new ArrayList<>())
                    .add(seat);
        }
        List<Host> hosts = new ArrayList<>();
        byHost.forEach((name, here) -> {
            here.sort(Comparator.comparing((Seat seat) -> seat.status().executorId(), UiView::byNumber));
            hosts.add(new Host(name, machine(here, machines), List.copyOf(here)));
        });
        return new UiView(nowMillis, List.copyOf(hosts), silent, notKept, total, endedExecutors);
    }

    /** All executors of a host see the same machine, unless it has just changed: then the newest status is right. */
    private static Machine machine(List<Seat> seats, Map<String, Machine> machines) {
        return seats.stream()
                .filter(seat -> machines.containsKey(seat.status().topologyId()))
                .max(Comparator.comparingLong(Seat::receivedMillis))
                .map(seat -> machines.getOrDefault(seat.status().topologyId(), Machine.UNKNOWN))
                .orElse(Machine.UNKNOWN);
    }

    /** "10" after "9". */
    private static int byNumber(String one, String other) {
        return one.length() != other.length() ? one.length() - other.length() : one.compareTo(other);
    }

    public List<Seat> seats() {
        return hosts.stream().flatMap(host -> host.seats().stream()).toList();
    }
}
