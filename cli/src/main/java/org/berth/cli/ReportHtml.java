package org.berth.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The report as one page that needs nothing but itself. A pure function. */
final class ReportHtml {
    private final Markup out = new Markup();
    private final ReportData data;

    private ReportHtml(ReportData data) {
        this.data = data;
    }

    static String render(ReportData data) {
        return new ReportHtml(data).page();
    }

    private String page() {
        String title = "Berth comparison: " + data.title();
        out.open("html", "lang", "en").open("head");
        out.empty("meta", "charset", "utf-8");
        // Nothing is fetched and nothing is executed, whatever a name may hold.
        out.empty(
                "meta",
                "http-equiv",
                "Content-Security-Policy",
                "content",
                "default-src 'none'; style-src 'unsafe-inline'");
        out.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        out.empty("meta", "name", "color-scheme", "content", "light dark");
        out.leaf("title", title).style(ReportStyle.CSS).close();
        out.open("body").open("main");
        out.leaf("h1", title);
        out.leaf(
                "p",
                data.written() + " · " + ReportChart.runs(data.points().size()) + " of "
                        + Labels.count(data.arms().size(), "arm") + ", warm-ups included; baseline: "
                        + data.baseline().name(),
                "class",
                "meta");
        verdict();
        numbers();
        section("Where the threads were meant to run");
        ReportPlaces.draw(out, data);
        section("Run times");
        out.open("div", "class", "cards");
        ReportSpreadCharts.bars(out, data);
        ReportSpreadCharts.ratios(out, data);
        ReportRunCharts.order(out, data);
        ReportRunCharts.distribution(out, data);
        out.close();
        section("Where the threads ran: the last completed run of each arm");
        ReportTimelines.draw(out, data);
        section("What was counted");
        counters();
        section("The machine and its state");
        facts(data.environment());
        section("The exact commands");
        commands();
        out.leaf("p", "Raw results, logs and plans: " + data.folder(), "class", "meta");
        out.close().close().close();
        return out.finish();
    }

    private void section(String title) {
        out.leaf("h2", title);
    }

    private void verdict() {
        out.open("div", "class", "verdict");
        data.verdict().forEach(sentence -> out.leaf("p", sentence));
        out.close();
        data.remarks().forEach(remark -> out.leaf("p", remark));
    }

    private void numbers() {
        section("The numbers");
        String measure = ReportSpreadCharts.capital(data.measure());
        List<String> heading = List.of(
                "Arm", "Runs", measure + ", median", "Shortest to longest", "Ratio", "95 % interval", "Not completed");
        List<List<String>> rows = new ArrayList<>();
        for (ReportArm arm : data.arms()) {
            rows.add(List.of(
                    arm.name(),
                    Integer.toString(arm.completed()),
                    ReportText.median(arm.measured()),
                    ReportText.range(arm.measured()),
                    ReportText.estimate(arm.ratio()),
                    ReportText.interval(arm.ratio()),
                    Integer.toString(arm.bad())));
        }
        table("stack numbers", heading, rows);
        data.same().forEach(line -> out.leaf("p", line, "class", "note"));
    }

    private void counters() {
        Set<String> labels = new LinkedHashSet<>();
        data.arms().forEach(arm -> arm.counters().forEach(fact -> labels.add(fact.label())));
        List<String> heading = new ArrayList<>(List.of("Counter"));
        data.arms().forEach(arm -> heading.add(arm.name()));
        List<List<String>> rows = new ArrayList<>();
        for (String label : labels) {
            List<String> row = new ArrayList<>(List.of(label));
            for (ReportArm arm : data.arms()) {
                row.add(arm.counters().stream()
                        .filter(fact -> fact.label().equals(label))
                        .map(ReportFact::value)
                        .findFirst()
                        .orElse(ReportText.NOTHING));
            }
            rows.add(row);
        }
        table("stack", heading, rows);
    }

    /** On a narrow screen each row becomes a block, whose lines repeat the heading. */
    private void table(String style, List<String> heading, List<List<String>> rows) {
        out.open("table", "class", style).open("thead").open("tr");
        heading.forEach(cell -> out.leaf("th", cell, "scope", "col"));
        out.close().close().open("tbody");
        for (List<String> row : rows) {
            out.open("tr").leaf("th", row.get(0), "scope", "row");
            for (int i = 1; i < row.size(); i++) {
                out.open("td", "data-label", heading.get(i))
                        .leaf("span", row.get(i))
                        .close();
            }
            out.close();
        }
        out.close().close();
    }

    private void facts(List<ReportFact> facts) {
        out.open("table", "class", "facts").open("tbody");
        for (ReportFact fact : facts) {
            out.open("tr")
                    .leaf("th", fact.label(), "scope", "row")
                    .leaf("td", fact.value())
                    .close();
        }
        out.close().close();
    }

    private void commands() {
        for (ReportArm arm : data.arms()) {
            out.leaf("h3", arm.name()).leaf("pre", arm.commandLine());
        }
    }
}
