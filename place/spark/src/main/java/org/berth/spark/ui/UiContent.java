package org.berth.spark.ui;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.ExecutorStatus.Counters;
import scala.xml.Node;

/** The page below Spark's header: problems first, then each host. A pure function. */
final class UiContent {
    /** Maximum number of hosts with a picture each; with more, the page shows a list and the picture of one. */
    private static final int MAX_HOSTS = 8;

    private static final int MAX_NOTES = 200;

    private final ClusterStatus status;
    private final String address;
    private final String chosen;

    /**
     * @param address of this page, ending with a slash
     * @param chosen the host to show; empty for the first
     */
    UiContent(ClusterStatus status, String address, String chosen) {
        this.status = status;
        this.address = address;
        this.chosen = chosen;
    }

    Node render() {
        List<Node> nodes = new ArrayList<>();
        nodes.add(UiNodes.style(UiStyle.SHEET));
        nodes.add(UiNodes.element(
                "p",
                List.of(
                        UiNodes.leaf("b", UiVerdict.of(status)),
                        UiNodes.text(" "),
                        UiNodes.leaf("a", "All of this as JSON", "href", address + "json/"))));
        nodes.add(summary());
        nodes.add(UiNodes.leaf("h4", "What could not be done"));
        nodes.add(problems());
        if (!status.silent().isEmpty()) {
            nodes.add(UiNodes.leaf("h4", "Executors that have sent nothing so far"));
            nodes.add(silent());
        }
        List<ClusterStatus.Host> shown = status.hosts();
        if (shown.size() > MAX_HOSTS) {
            nodes.add(UiNodes.leaf("h4", "Hosts"));
            nodes.add(hosts());
            shown = List.of(shown.stream()
                    .filter(host -> host.name().equals(chosen))
                    .findFirst()
                    .orElse(shown.get(0)));
        }
        shown.forEach(host -> nodes.addAll(new UiHost(host, status.nowMillis()).render()));
        return UiNodes.element("div", nodes, "class", "berth");
    }

    private Node summary() {
        List<ClusterStatus.Executor> executors = status.executors();
        int slots = executors.stream()
                .mapToInt(executor -> executor.status().slots().size())
                .sum();
        int busy =
                executors.stream().mapToInt(ClusterStatus.Executor::busySlots).sum();
        Counters total = status.total();
        UiTable table = new UiTable(
                "Executors#",
                "Task slots in use#",
                "Tasks#",
                "Sharing a slot#",
                "Migrations#",
                "Remote pages#",
                "Rebinds#",
                "Widened#",
                "Bind failures#",
                "Berth's CPU time#");
        String count = UiText.number(executors.size()) + " on "
                + UiText.count(status.hosts().size(), "host")
                + (status.endedExecutors() > 0 ? ", " + UiText.number(status.endedExecutors()) + " gone" : "");
        table.row(List.of(
                UiNodes.text(count),
                UiNodes.text(UiText.number(busy) + " of " + UiText.number(slots)),
                UiNodes.text(UiText.number(total.tasks())),
                UiNodes.text(UiText.number(total.shared())),
                UiNodes.text(UiText.number(total.migrations())),
                UiNodes.text(UiText.number(total.remotePages())),
                UiNodes.text(UiText.number(total.rebinds())),
                UiNodes.text(UiText.number(total.widenings())),
                UiNodes.text(UiText.number(total.bindFailures())),
                UiNodes.text(UiText.millis(total.own().cpuNanos()))));
        return table.render();
    }

    private Node problems() {
        List<Node> items = new ArrayList<>();
        if (status.notKept() > 0) {
            items.add(UiNodes.leaf(
                    "li",
                    UiText.count(status.notKept(), "executor")
                            + " not shown: the driver keeps no more than 32 MB of statuses"));
        }
        for (ClusterStatus.Host host : status.hosts()) {
            if (host.machine().topology().isEmpty()) {
                items.add(problem(
                        host.name(),
                        "no picture of the machine: " + host.machine().problem()));
            }
            for (ClusterStatus.Executor executor : host.executors()) {
                executor.status()
                        .notes()
                        .forEach(note -> items.add(
                                problem("executor " + executor.status().executorId(), note)));
            }
        }
        if (items.isEmpty()) {
            return UiNodes.leaf("p", "Nothing: no executor reports a problem.", "class", "quiet");
        }
        int left = items.size() - MAX_NOTES;
        List<Node> first = new ArrayList<>(items.subList(0, Math.min(items.size(), MAX_NOTES)));
        if (left > 0) {
            first.add(UiNodes.leaf("li", left + " more in the JSON"));
        }
        return UiNodes.element("ul", first, "class", "notes");
    }

    private static Node problem(String source, String text) {
        return UiNodes.element("li", List.of(UiNodes.leaf("b", source), UiNodes.text(": " + text)));
    }

    private Node silent() {
        UiTable table = new UiTable("Executor", "Host", "Added");
        status.silent()
                .forEach(one ->
                        table.row(one.executorId(), one.host(), UiText.ago(status.nowMillis() - one.addedMillis())));
        return table.render();
    }

    private Node hosts() {
        UiTable table = new UiTable("Host", "Executors#", "Task slots in use#", "Notes#");
        for (ClusterStatus.Host host : status.hosts()) {
            int busy = host.executors().stream()
                    .mapToInt(ClusterStatus.Executor::busySlots)
                    .sum();
            int slots = host.executors().stream()
                    .mapToInt(executor -> executor.status().slots().size())
                    .sum();
            int notes = host.executors().stream()
                    .mapToInt(executor -> executor.status().notes().size())
                    .sum();
            String link = address + "?host=" + URLEncoder.encode(host.name(), StandardCharsets.UTF_8);
            table.row(List.of(
                    UiNodes.leaf("a", host.name(), "href", link),
                    UiNodes.text(UiText.number(host.executors().size())),
                    UiNodes.text(busy + " of " + slots),
                    UiNodes.text(UiText.number(notes))));
        }
        return table.render();
    }
}
