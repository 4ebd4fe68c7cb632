package org.berth.spark.ui;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.ExecutorStatus.Counters;
import org.berth.spark.status.ExecutorStatus.TaskSlot;
import org.berth.spark.status.UiView;
import scala.xml.Node;

/** One host: its machine, its executors, their task slots and service threads. A pure function. */
final class UiHost {
    /** So many slots are shown without a click. */
    private static final int OPEN_SLOTS = 32;

    private static final int MOST_ROWS = 2048;
    private static final long STALE_MILLIS = 15_000;

    private final UiView.Host host;
    private final long nowMillis;

    UiHost(UiView.Host host, long nowMillis) {
        this.host = host;
        this.nowMillis = nowMillis;
    }

    List<Node> render() {
        List<Node> nodes = new ArrayList<>();
        nodes.add(UiNodes.leaf("h4", "Host " + host.name()));
        host.machine().topology().ifPresent(machine -> nodes.add(UiMachine.draw(machine, host.seats())));
        nodes.add(UiNodes.leaf("h5", "Executors", "class", "mt-3"));
        nodes.add(executors());
        nodes.add(reasons());
        nodes.add(slots());
        if (host.seats().stream().anyMatch(seat -> !seat.status().threads().isEmpty())) {
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
                "Between nodes#",
                "Remote memory#",
                "Rebinds#",
                "Bind failures#",
                "Heard");
        for (int i = 0; i < host.seats().size(); i++) {
            table.row(executor(host.seats().get(i), UiOccupation.colour(i)));
        }
        return table.render();
    }

    private List<Node> executor(UiView.Seat seat, int colour) {
        ExecutorStatus status = seat.status();
        Counters counters = status.counters();
        long age = nowMillis - seat.receivedMillis();
        return List.of(
                UiNodes.leaf("span", status.executorId(), "class", "chip e" + colour),
                UiNodes.text(Long.toString(status.pid())),
                UiNodes.text(status.level()),
                UiNodes.text(UiText.orNone(status.cpus())),
                UiNodes.text(UiText.orNone(status.nodes())),
                UiNodes.text(seat.busySlots() + " of " + status.slots().size()),
                UiNodes.text(UiText.number(counters.tasks())),
                UiNodes.text(UiText.number(counters.shared())),
                UiNodes.text(UiText.number(counters.migrations())),
                UiNodes.text(UiText.number(counters.nodeMigrations())),
                UiNodes.text(UiText.remote(counters.remoteBytes(), counters.memoryBytes())),
                UiNodes.text(UiText.number(counters.rebinds())),
                UiNodes.text(UiText.number(counters.bindFailures())),
                age > STALE_MILLIS ? UiNodes.leaf("b", UiText.ago(age)) : UiNodes.text(UiText.ago(age)));
    }

    /** Each reason once, with the executors that give it. */
    private Node reasons() {
        Map<String, StringJoiner> executors = new LinkedHashMap<>();
        for (UiView.Seat seat : host.seats()) {
            ExecutorStatus status = seat.status();
            String reason = status.reason().isEmpty() ? "no reason given" : status.reason();
            executors
                    .computeIfAbsent(status.level() + ": " + reason, one -> new StringJoiner(", "))
                    .add(status.executorId());
        }
        List<Node> items = new ArrayList<>();
        executors.forEach((reason, who) -> items.add(
                UiNodes.element("li", List.of(UiNodes.leaf("b", who.toString()), UiNodes.text(" " + reason)))));
        return UiNodes.element("ul", items, "class", "notes");
    }

    private Node slots() {
        int all = host.seats().stream()
                .mapToInt(seat -> seat.status().slots().size())
                .sum();
        int shown = 0;
        UiTable table = new UiTable("Executor", "Slot#", "CPUs", "Memory nodes", "Running tasks (TID)").slim();
        for (int i = 0; i < host.seats().size(); i++) {
            ExecutorStatus status = host.seats().get(i).status();
            for (TaskSlot slot : status.slots()) {
                if (shown++ < MOST_ROWS) {
                    table.row(List.of(
                            UiNodes.leaf("span", status.executorId(), "class", "chip e" + UiOccupation.colour(i)),
                            UiNodes.text(Integer.toString(slot.index())),
                            UiNodes.text(slot.cpus()),
                            UiNodes.text(UiText.orNone(slot.nodes())),
                            UiNodes.text(tasks(slot))));
                }
            }
        }
        String left = all > MOST_ROWS ? ", the first " + UiText.number(MOST_ROWS) : "";
        Node summary = UiNodes.leaf("summary", "Task slots (" + UiText.number(all) + left + ")");
        return all > 0 && all <= OPEN_SLOTS
                ? UiNodes.element("details", List.of(summary, table.render()), "open", "open")
                : UiNodes.element("details", List.of(summary, table.render()));
    }

    private static String tasks(TaskSlot slot) {
        return slot.tasks().isEmpty()
                ? "free"
                : slot.tasks().stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private Node threads() {
        UiTable table = new UiTable("Executor", "Role", "Thread", "CPUs").slim();
        int count = 0;
        for (UiView.Seat seat : host.seats()) {
            for (ExecutorStatus.ServiceThread thread : seat.status().threads()) {
                if (count++ < MOST_ROWS) {
                    table.row(seat.status().executorId(), thread.role(), thread.name(), thread.cpus());
                }
            }
        }
        Node summary = UiNodes.leaf("summary", "Service threads (" + UiText.number(count) + ")");
        return UiNodes.element("details", List.of(summary, table.render()));
    }
}
