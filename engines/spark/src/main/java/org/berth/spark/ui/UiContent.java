package org.berth.spark.ui;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.ExecutorStatus.Counters;
import org.berth.spark.status.UiView;
import scala.xml.Node;

/** The page below Spark's own header: what could not be done first, then host by host. A pure function. */
final class UiContent {
    /** More machines than this are not drawn in one page: there is a list, and one is chosen. */
    private static final int MOST_HOSTS = 8;

    private static final int MOST_NOTES = 200;

    private final UiView view;
    private final String address;
    private final String chosen;

    /**
     * @param address of this page, with a slash at its end
     * @param chosen host that is asked for; empty when none is
     */
    UiContent(UiView view, String address, String chosen) {
        this.view = view;
        this.address = address;
        this.chosen = chosen;
    }

    Node render() {
        List<Node> nodes = new ArrayList<>();
        nodes.add(UiNodes.style(UiStyle.SHEET));
        nodes.add(summary());
        nodes.add(UiNodes.leaf("h4", "What could not be done"));
        nodes.add(problems());
        if (!view.silent().isEmpty()) {
            nodes.add(UiNodes.leaf("h4", "Executors that have sent nothing so far"));
            nodes.add(silent());
        }
        List<UiView.Host> shown = view.hosts();
        if (shown.size() > MOST_HOSTS) {
            nodes.add(UiNodes.leaf("h4", "Hosts"));
            nodes.add(hosts());
            shown = List.of(shown.stream()
                    .filter(host -> host.name().equals(chosen))
                    .findFirst()
                    .orElse(shown.get(0)));
        }
        shown.forEach(host -> nodes.addAll(new UiHost(host, view.nowMillis()).render()));
        return UiNodes.element("div", nodes, "class", "berth");
    }

    private Node summary() {
        List<UiView.Seat> seats = view.seats();
        int slots =
                seats.stream().mapToInt(seat -> seat.status().slots().size()).sum();
        int busy = seats.stream().mapToInt(UiView.Seat::busySlots).sum();
        Counters total = view.total();
        UiTable table = new UiTable(
                "Executors#",
                "Task slots in use#",
                "Tasks#",
                "Sharing a slot#",
                "Migrations#",
                "Remote pages#",
                "Rebinds#",
                "Bind failures#",
                "The same as");
        String executors =
                UiText.number(seats.size()) + " on " + UiText.count(view.hosts().size(), "host")
                        + (view.endedExecutors() > 0 ? ", " + UiText.number(view.endedExecutors()) + " gone" : "");
        table.row(List.of(
                UiNodes.text(executors),
                UiNodes.text(UiText.number(busy) + " of " + UiText.number(slots)),
                UiNodes.text(UiText.number(total.tasks())),
                UiNodes.text(UiText.number(total.shared())),
                UiNodes.text(UiText.number(total.migrations())),
                UiNodes.text(UiText.number(total.remotePages())),
                UiNodes.text(UiText.number(total.rebinds())),
                UiNodes.text(UiText.number(total.bindFailures())),
                UiNodes.leaf("a", "JSON", "href", address + "json/")));
        return table.render();
    }

    private Node problems() {
        List<Node> items = new ArrayList<>();
        if (view.notKept() > 0) {
            items.add(UiNodes.leaf(
                    "li",
                    UiText.count(view.notKept(), "executor")
                            + " not shown: the driver keeps no more than 32 MB of statuses"));
        }
        for (UiView.Host host : view.hosts()) {
            if (host.machine().topology().isEmpty()) {
                items.add(problem(
                        host.name(),
                        "no picture of the machine: " + host.machine().problem()));
            }
            for (UiView.Seat seat : host.seats()) {
                ExecutorStatus status = seat.status();
                status.notes().forEach(note -> items.add(problem("executor " + status.executorId(), note)));
            }
        }
        if (items.isEmpty()) {
            return UiNodes.leaf("p", "Nothing: no executor reports a problem.", "class", "quiet");
        }
        int left = items.size() - MOST_NOTES;
        List<Node> first = new ArrayList<>(items.subList(0, Math.min(items.size(), MOST_NOTES)));
        if (left > 0) {
            first.add(UiNodes.leaf("li", left + " more in the JSON"));
        }
        return UiNodes.element("ul", first, "class", "notes");
    }

    private static Node problem(String who, String what) {
        return UiNodes.element("li", List.of(UiNodes.leaf("b", who), UiNodes.text(": " + what)));
    }

    private Node silent() {
        UiTable table = new UiTable("Executor", "Host", "Added");
        view.silent()
                .forEach(one ->
                        table.row(one.executorId(), one.host(), UiText.ago(view.nowMillis() - one.addedMillis())));
        return table.render();
    }

    private Node hosts() {
        UiTable table = new UiTable("Host", "Executors#", "Task slots in use#", "Notes#");
        for (UiView.Host host : view.hosts()) {
            int busy = host.seats().stream().mapToInt(UiView.Seat::busySlots).sum();
            int slots = host.seats().stream()
                    .mapToInt(seat -> seat.status().slots().size())
                    .sum();
            int notes = host.seats().stream()
                    .mapToInt(seat -> seat.status().notes().size())
                    .sum();
            String link = address + "?host=" + URLEncoder.encode(host.name(), StandardCharsets.UTF_8);
            table.row(List.of(
                    UiNodes.leaf("a", host.name(), "href", link),
                    UiNodes.text(UiText.number(host.seats().size())),
                    UiNodes.text(busy + " of " + slots),
                    UiNodes.text(UiText.number(notes))));
        }
        return table.render();
    }
}
