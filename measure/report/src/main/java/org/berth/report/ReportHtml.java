package org.berth.report;

import org.berth.drawing.internal.svg.Markup;
import org.berth.text.Words;

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
        HtmlParts.begin(out, title);
        out.leaf("h1", title);
        out.leaf(
                "p",
                data.written() + " · "
                        + ReportChart.runs(data.measures().get(0).points().size()) + " of "
                        + Words.count(data.arms().size(), "arm") + ", warm-ups included; baseline: "
                        + data.baseline().name(),
                "class",
                "meta");
        out.leaf("p", Words.shorten(data.baseline().commandLine(), COMMAND_LENGTH), "class", "meta");
        decision();
        data.figure().ifPresent(figure -> {
            // Narrow screens scroll the picture, not the page.
            out.open("div", "class", "card scroll", "tabindex", "0", "role", "region", "aria-label", figure.title());
            figure.draw(out);
            out.close();
        });
        numbers();
        section("Where the threads were meant to run", () -> ReportSlots.draw(out, data));
        section("The runs", this::runs);
        section("Where the threads ran: the last completed run of each arm", () -> ReportTimelines.draw(out, data));
        if (ReportBalancing.isIn(data)) {
            section(
                    "What NUMA balancing did: the last completed run of each arm",
                    () -> ReportBalancing.draw(out, data));
        }
        section("What was counted", this::counters);
        section("The machine and its state", () -> HtmlParts.facts(out, data.environment()));
        section("The exact commands", this::commands);
        out.leaf("p", "Raw results, logs and plans: " + data.folder(), "class", "meta");
        return HtmlParts.end(out);
    }

    private void section(String title, Runnable content) {
        HtmlParts.fold(out, title);
        content.run();
        out.close();
    }

    private void runs() {
        out.open("div", "class", "cards");
        for (int i = 0; i < data.judged().size(); i++) {
            ReportSpreadCharts.bars(out, data, i);
            if (i > 0) {
                // The first one stands beside the decision.
                ReportSpreadCharts.ratios(out, data, i);
            }
            ReportRunCharts.order(out, data, i);
            ReportRunCharts.distribution(out, data, i);
        }
        out.close();
    }

    /** A word for each arm, the sentence, the picture that shows why, and what makes it doubtful; all words are folded. */
    private void decision() {
        ReportDecision decision = data.decision();
        HtmlParts.answer(out, decision.answer());
        out.open("ul", "class", "badges");
        for (int i = 1; i < data.arms().size(); i++) {
            String word = decision.words().get(i);
            out.open("li").leaf("b", data.arms().get(i).name()).text(" ");
            out.leaf("span", word, "class", "badge " + tone(word)).close();
        }
        out.close().close();
        HtmlParts.warnings(out, decision.warnings());
        ReportSpreadCharts.ratios(out, data, 0);
        out.open("details").leaf("summary", "In words, and what it holds for");
        data.verdict().forEach(sentence -> out.leaf("p", sentence));
        data.scope().forEach(sentence -> out.leaf("p", sentence, "class", "note"));
        data.remarks().forEach(remark -> out.leaf("p", remark, "class", "note"));
        out.close();
    }

    private static String tone(String word) {
        return switch (word) {
            case "faster", "better" -> "good";
            case "slower", "worse", "fails more often" -> "worse";
            default -> "open";
        };
    }

    private void numbers() {
        out.leaf("h2", "The numbers");
        for (ReportMeasure measure : data.measures()) {
            if (data.measures().size() > 1) {
                out.leaf("h3", Words.capital(measure.quantity().name()), "class", "table-name");
            }
            HtmlParts.table(out, "stack numbers", ReportTables.numbers(data, measure));
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
        HtmlParts.table(out, "stack", ReportTables.counters(data));
        data.missing().forEach(line -> out.leaf("p", line, "class", "note"));
    }

    private void commands() {
        for (ReportArm arm : data.arms()) {
            out.leaf("h3", arm.name()).leaf("pre", arm.commandLine());
        }
    }
}
