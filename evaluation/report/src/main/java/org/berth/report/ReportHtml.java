package org.berth.report;

import java.util.List;
import org.berth.drawing.svg.Markup;
import org.berth.drawing.text.Labels;

/** The report as one page that needs nothing but itself. A pure function. */
public final class ReportHtml {
    /** The head of the page is no place for a class path; all of it is at the end. */
    private static final int COMMAND_LENGTH = 160;

    private final Markup out = new Markup();
    private final ReportData data;

    private ReportHtml(ReportData data) {
        this.data = data;
    }

    public static String render(ReportData data) {
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
                data.written() + " · "
                        + ReportChart.runs(data.measures().get(0).points().size()) + " of "
                        + Labels.count(data.arms().size(), "arm") + ", warm-ups included; baseline: "
                        + data.baseline().name(),
                "class",
                "meta");
        out.leaf("p", Labels.shorten(data.baseline().commandLine(), COMMAND_LENGTH), "class", "meta");
        verdict();
        numbers();
        section("Where the threads were meant to run");
        ReportSlots.draw(out, data);
        section("The runs");
        out.open("div", "class", "cards");
        for (int i = 0; i < data.judged().size(); i++) {
            ReportSpreadCharts.bars(out, data, i);
            ReportSpreadCharts.ratios(out, data, i);
            ReportRunCharts.order(out, data, i);
            ReportRunCharts.distribution(out, data, i);
        }
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
        data.scope().forEach(sentence -> out.leaf("p", sentence, "class", "note"));
        out.close();
        data.remarks().forEach(remark -> out.leaf("p", remark));
    }

    private void numbers() {
        section("The numbers");
        for (ReportMeasure measure : data.measures()) {
            if (data.measures().size() > 1) {
                out.leaf("h3", Labels.capital(measure.quantity().name()), "class", "table-name");
            }
            table("stack numbers", ReportTables.numbers(data, measure));
        }
        out.leaf(
                "p",
                "Variation: standard deviation by mean. Ratio: to "
                        + data.baseline().name() + ".",
                "class",
                "note");
        data.notRun().forEach(line -> out.leaf("p", line, "class", "note"));
    }

    private void counters() {
        table("stack", ReportTables.counters(data));
        data.missing().forEach(line -> out.leaf("p", line, "class", "note"));
    }

    /** On a narrow screen each row becomes a block, whose lines repeat the heading. */
    private void table(String style, List<List<String>> rows) {
        List<String> heading = rows.get(0);
        out.open("table", "class", style).open("thead").open("tr");
        heading.forEach(cell -> out.leaf("th", cell, "scope", "col"));
        out.close().close().open("tbody");
        for (List<String> row : rows.subList(1, rows.size())) {
            out.open("tr").leaf("th", row.get(0), "scope", "row");
            for (int i = 1; i < row.size(); i++) {
                // On a phone a line that says nothing is left out.
                String nothing = row.get(i).equals(ReportText.NOTHING) ? "nothing" : "something";
                out.open("td", "data-label", heading.get(i), "class", nothing)
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
