package org.berth.spark.ui;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.ExecutorStatus.Counters;
import org.berth.spark.status.ExecutorStatus.SlotStatus;
import org.berth.spark.status.HeapStatus;
import scala.xml.Node;

/** One host: its machine, its executors, their task slots and service threads. A pure function. */
final class UiHost {
    /** The table of slots is open when it has no more rows than this. */
    private static final int OPEN_SLOTS = 32;

    private static final int MAX_ROWS = 2048;
    /** Names of threads in a row. */
    private static final int NAMES = 3;

    private static final long STALE_MILLIS = 15_000;

    private final ClusterStatus.Host host;
    private final long nowMillis;

    UiHost(ClusterStatus.Host host, long nowMillis) {
        this.host = host;
        this.nowMillis = nowMillis;
    }

    List<Node> render() {
        List<Node> nodes = new ArrayList<>();
        nodes.add(UiNodes.leaf("h4", "Host " + host.name()));
        host.machine().topology().ifPresent(machine -> {
            nodes.add(UiMachine.draw(machine, host.executors()));
            nodes.add(UiNodes.leaf(
                    "p",
                    "A cell is a CPU; its colour is that of the executor that has it, as in the table below. A thick border: a"
                            + " task runs there now. Stripes: several executors have it.",
                    "class",
                    "quiet"));
        });
        nodes.add(UiNodes.leaf("h5", "Executors", "class", "mt-3"));
        nodes.add(executors());
        nodes.add(reasons());
        nodes.add(heap());
        nodes.add(slots());
        if (host.executors().stream()
                .anyMatch(executor -> !executor.status().threads().isEmpty())) {
            nodes.add(threads());
        }
        return nodes;
    }

    private Node executors() {
        UiTable table = new UiTable(
                "Executor",
                "PID#",
                "Level",
                "CPUs",
                "Memory nodes",
                "Slots in use#",
                "Tasks#",
                "Sharing#",
                "Migrations#",
                "Between L3s, nodes#",
                "Remote memory#",
                "Rebinds#",
                "Bind failures#",
                "Heard");
        for (int i = 0; i < host.executors().size(); i++) {
            table.row(executor(host.executors().get(i), UiOccupation.colour(i)));
        }
        return table.render();
    }

    private List<Node> executor(ClusterStatus.Executor executor, int colour) {
        ExecutorStatus status = executor.status();
        Counters counters = status.counters();
        long age = nowMillis - executor.receivedMillis();
        return List.of(
                UiNodes.leaf("span", status.executorId(), "class", "chip e" + colour),
                UiNodes.text(Long.toString(status.pid())),
                UiNodes.text(status.level()),
                UiNodes.text(UiText.orNone(status.cpus())),
                UiNodes.text(UiText.orNone(status.nodes())),
                UiNodes.text(executor.busySlots() + " of " + status.slots().size()),
                UiNodes.text(UiText.number(counters.tasks())),
                UiNodes.text(UiText.number(counters.shared())),
                UiNodes.text(UiText.number(counters.migrations())),
                // In one column: a column of their own each makes the table wider than a screen.
                UiNodes.text(
                        UiText.number(counters.cacheMigrations()) + ", " + UiText.number(counters.nodeMigrations())),
                UiNodes.text(UiText.remote(counters.remoteBytes(), counters.memoryBytes())),
                UiNodes.text(UiText.number(counters.rebinds())),
                UiNodes.text(UiText.number(counters.bindFailures())),
                age > STALE_MILLIS ? UiNodes.leaf("b", UiText.ago(age)) : UiNodes.text(UiText.ago(age)));
    }

    /** Each reason once, with the executors that give it. */
    private Node reasons() {
        Map<String, StringJoiner> executors = new LinkedHashMap<>();
        for (ClusterStatus.Executor executor : host.executors()) {
            ExecutorStatus status = executor.status();
            String reason = status.reason().isEmpty() ? "no reason given" : status.reason();
            executors
                    .computeIfAbsent(", level " + status.level() + ": " + reason, one -> new StringJoiner(", "))
                    .add(status.executorId());
        }
        List<Node> items = new ArrayList<>();
        executors.forEach((reason, ids) ->
                items.add(UiNodes.element("li", List.of(UiNodes.leaf("b", "Executor " + ids), UiNodes.text(reason)))));
        return UiNodes.element("ul", items, "class", "notes");
    }

    /** A table of its own: its columns would make that of the executors wider than a screen. */
    private Node heap() {
        UiTable table = new UiTable(
                "Executor",
                "Heap in memory#",
                "In huge pages#",
                "By node",
                "The JVM asks for",
                "Kernel's transparent huge pages");
        for (int i = 0; i < host.executors().size(); i++) {
            ExecutorStatus status = host.executors().get(i).status();
            HeapStatus heap = status.heap();
            table.row(List.of(
                    UiNodes.leaf("span", status.executorId(), "class", "chip e" + UiOccupation.colour(i)),
                    UiNodes.text(UiText.bytes(heap.bytes())),
                    UiNodes.text(UiText.share(heap.hugeBytes(), heap.bytes())),
                    UiNodes.text(UiText.byNode(heap)),
                    UiNodes.text(heap.asked()),
                    UiNodes.text(heap.kernel())));
        }
        Node summary = UiNodes.leaf(
                "summary",
                "Heap and huge pages (" + UiText.number(host.executors().size()) + ")");
        return host.executors().size() <= OPEN_SLOTS
                ? UiNodes.element("details", List.of(summary, table.render()), "open", "open")
                : UiNodes.element("details", List.of(summary, table.render()));
    }

    private Node slots() {
        int all = host.executors().stream()
                .mapToInt(executor -> executor.status().slots().size())
                .sum();
        int shown = 0;
        UiTable table = new UiTable("Executor", "Slot#", "CPUs", "Memory nodes", "Running tasks").slim();
        for (int i = 0; i < host.executors().size(); i++) {
            ExecutorStatus status = host.executors().get(i).status();
            for (SlotStatus slot : status.slots()) {
                if (shown++ < MAX_ROWS) {
                    table.row(List.of(
                            UiNodes.leaf("span", status.executorId(), "class", "chip e" + UiOccupation.colour(i)),
                            UiNodes.text(Integer.toString(slot.index())),
                            UiNodes.text(slot.cpus()),
                            UiNodes.text(UiText.orNone(slot.nodes())),
                            UiNodes.text(tasks(slot))));
                }
            }
        }
        String left = all > MAX_ROWS ? ", the first " + UiText.number(MAX_ROWS) : "";
        Node summary = UiNodes.leaf("summary", "Task slots (" + UiText.number(all) + left + ")");
        return all > 0 && all <= OPEN_SLOTS
                ? UiNodes.element("details", List.of(summary, table.render()), "open", "open")
                : UiNodes.element("details", List.of(summary, table.render()));
    }

    private static String tasks(SlotStatus slot) {
        return slot.tasks().isEmpty()
                ? "free"
                : slot.tasks().stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** A row for the threads of one role on the same CPUs: an executor has hundreds. */
    private Node threads() {
        UiTable table = new UiTable("Executor", "Role", "Threads#", "CPUs", "Names").slim();
        int count = 0;
        for (ClusterStatus.Executor executor : host.executors()) {
            Map<List<String>, List<String>> groups = new LinkedHashMap<>();
            for (ExecutorStatus.ServiceThread thread : executor.status().threads()) {
                groups.computeIfAbsent(List.of(thread.role(), thread.cpus()), one -> new ArrayList<>())
                        .add(thread.name());
                count++;
            }
            groups.forEach((group, names) -> table.row(
                    executor.status().executorId(),
                    group.get(0),
                    UiText.number(names.size()),
                    group.get(1),
                    names(names)));
        }
        Node summary = UiNodes.leaf("summary", "Service threads (" + UiText.number(count) + ")");
        return UiNodes.element("details", List.of(summary, table.render()));
    }

    private static String names(List<String> names) {
        return names.stream().limit(NAMES).collect(Collectors.joining(", "))
                + (names.size() > NAMES ? ", … (all in the JSON)" : "");
    }
}
