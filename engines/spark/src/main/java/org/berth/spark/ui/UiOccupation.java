package org.berth.spark.ui;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.UiView;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.TopologyObject;
import scala.xml.Node;

/** Which executors have a PU, and which tasks run on it. Immutable once made. */
final class UiOccupation {
    private static final int MOST_TASKS_SHOWN = 2;
    private static final String EXECUTOR = "exec ";

    private final Map<Integer, List<Integer>> executors = new HashMap<>();
    private final Map<Integer, List<Long>> tasks = new HashMap<>();
    private final List<UiView.Seat> seats;

    private UiOccupation(List<UiView.Seat> seats) {
        this.seats = seats;
    }

    /** Only CPUs that the machine has: executors may send any number. */
    static UiOccupation of(CpuSet machine, List<UiView.Seat> seats) {
        UiOccupation occupation = new UiOccupation(seats);
        for (int i = 0; i < seats.size(); i++) {
            int executor = i;
            ExecutorStatus status = seats.get(i).status();
            UiText.cpus(status.cpus()).intersection(machine).stream()
                    .forEach(cpu -> occupation
                            .executors
                            .computeIfAbsent(cpu, one -> new ArrayList<>())
                            .add(executor));
            for (ExecutorStatus.TaskSlot slot : status.slots()) {
                if (!slot.tasks().isEmpty()) {
                    UiText.cpus(slot.cpus()).intersection(machine).stream()
                            .forEach(cpu -> occupation
                                    .tasks
                                    .computeIfAbsent(cpu, one -> new ArrayList<>())
                                    .addAll(slot.tasks()));
                }
            }
        }
        return occupation;
    }

    /** The cell of a PU, or of a core with all its PUs. */
    Node cell(TopologyObject object) {
        List<Integer> here = object.cpuSet().stream()
                .boxed()
                .flatMap(cpu -> executors.getOrDefault(cpu, List.of()).stream())
                .distinct()
                .toList();
        List<Long> running = object.cpuSet().stream()
                .boxed()
                .flatMap(cpu -> tasks.getOrDefault(cpu, List.of()).stream())
                .distinct()
                .toList();
        String name = (object.type() == ObjectType.PU ? "PU " : "PUs ") + object.cpuSet();
        String style = "pu" + (here.isEmpty() ? "" : " e" + colour(here.get(0)))
                + (running.isEmpty() ? "" : " busy")
                + (isShared(here) ? " overlap" : "");
        return UiNodes.element(
                "div",
                List.of(
                        UiNodes.leaf("b", name),
                        UiNodes.leaf("div", owners(here)),
                        UiNodes.leaf("div", tasks(running))),
                "class",
                style,
                "title",
                tooltip(name, here, running));
    }

    /** Executors that are not bound are on all CPUs, and that is as it should be. */
    private boolean isShared(List<Integer> here) {
        return here.stream()
                        .filter(executor ->
                                !seats.get(executor).status().level().equals("none"))
                        .count()
                > 1;
    }

    static int colour(int executor) {
        return executor % UiStyle.COLOURS;
    }

    private String owners(List<Integer> here) {
        if (here.size() > MOST_TASKS_SHOWN) {
            return here.size() + " executors";
        }
        StringJoiner names = new StringJoiner(", ");
        here.forEach(executor -> names.add(name(executor)));
        // "exec 0, 1": cells are narrow.
        return names.toString().replace(", " + EXECUTOR, ", ");
    }

    private String name(int executor) {
        String id = seats.get(executor).status().executorId();
        // In local mode the driver is the executor.
        String name = id.isEmpty() || Character.isDigit(id.charAt(0)) ? EXECUTOR + id : id;
        return name.length() > 12 ? name.substring(0, 11) + "…" : name;
    }

    private static String tasks(List<Long> running) {
        return switch (running.size()) {
            case 0 -> "";
            case 1, MOST_TASKS_SHOWN ->
                "TID " + running.stream().map(String::valueOf).collect(Collectors.joining(", "));
            default -> running.size() + " tasks";
        };
    }

    private String tooltip(String name, List<Integer> here, List<Long> running) {
        StringBuilder text = new StringBuilder(name);
        if (here.isEmpty()) {
            text.append(": no executor has it");
        }
        here.forEach(executor ->
                text.append(", executor ").append(seats.get(executor).status().executorId()));
        if (!running.isEmpty()) {
            text.append(", running: TID ")
                    .append(running.stream().limit(20).map(String::valueOf).collect(Collectors.joining(", ")));
        }
        return text.toString();
    }
}
