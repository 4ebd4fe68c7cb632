package org.berth.spark.ui;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.ExecutorStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import scala.xml.Node;

/** Which executors have each PU, and which tasks run on it. Immutable. */
final class UiOccupation {
    private static final int MAX_TASKS_SHOWN = 2;
    private static final String EXECUTOR = "exec ";

    private final Map<Integer, List<Integer>> executorsByCpu = new HashMap<>();
    private final Map<Integer, List<Long>> tasksByCpu = new HashMap<>();
    private final List<ClusterStatus.Executor> executors;

    private UiOccupation(List<ClusterStatus.Executor> executors) {
        this.executors = executors;
    }

    /** Ignores CPUs that the machine does not have, since executors may send any number. */
    static UiOccupation of(CpuSet machine, List<ClusterStatus.Executor> executors) {
        UiOccupation occupation = new UiOccupation(executors);
        for (int i = 0; i < executors.size(); i++) {
            int executor = i;
            ExecutorStatus status = executors.get(i).status();
            UiText.cpus(status.cpus()).intersection(machine).stream()
                    .forEach(cpu -> occupation
                            .executorsByCpu
                            .computeIfAbsent(cpu, one -> new ArrayList<>())
                            .add(executor));
            for (ExecutorStatus.SlotStatus slot : status.slots()) {
                if (!slot.tasks().isEmpty()) {
                    UiText.cpus(slot.cpus()).intersection(machine).stream()
                            .forEach(cpu -> occupation
                                    .tasksByCpu
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
                .flatMap(cpu -> executorsByCpu.getOrDefault(cpu, List.of()).stream())
                .distinct()
                .toList();
        List<Long> running = object.cpuSet().stream()
                .boxed()
                .flatMap(cpu -> tasksByCpu.getOrDefault(cpu, List.of()).stream())
                .distinct()
                .toList();
        String name = (object.type() == ObjectType.PU ? "CPU " : "CPUs ") + object.cpuSet();
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

    /** Whether several bound executors have this PU; those that are not bound use all CPUs by design. */
    private boolean isShared(List<Integer> here) {
        return here.stream()
                        .filter(executor ->
                                !executors.get(executor).status().level().equals("none"))
                        .count()
                > 1;
    }

    static int colour(int executor) {
        return executor % UiStyle.COLOURS;
    }

    private String owners(List<Integer> here) {
        if (here.size() > MAX_TASKS_SHOWN) {
            return here.size() + " executors";
        }
        StringJoiner names = new StringJoiner(", ");
        here.forEach(executor -> names.add(name(executor)));
        // "exec 0, 1", because cells are narrow.
        return names.toString().replace(", " + EXECUTOR, ", ");
    }

    private String name(int executor) {
        String id = executors.get(executor).status().executorId();
        // In local mode the driver is the executor.
        String name = id.isEmpty() || Character.isDigit(id.charAt(0)) ? EXECUTOR + id : id;
        return name.length() > 12 ? name.substring(0, 11) + "…" : name;
    }

    private static String tasks(List<Long> running) {
        return switch (running.size()) {
            case 0 -> "";
            case 1, MAX_TASKS_SHOWN ->
                "task " + running.stream().map(String::valueOf).collect(Collectors.joining(", "));
            default -> running.size() + " tasks";
        };
    }

    private String tooltip(String name, List<Integer> here, List<Long> running) {
        StringBuilder text = new StringBuilder(name);
        if (here.isEmpty()) {
            text.append(": no executor has it");
        }
        here.forEach(executor -> text.append(", executor ")
                .append(executors.get(executor).status().executorId()));
        if (!running.isEmpty()) {
            text.append(", running: task ")
                    .append(running.stream().limit(20).map(String::valueOf).collect(Collectors.joining(", ")));
        }
        return text.toString();
    }
}
