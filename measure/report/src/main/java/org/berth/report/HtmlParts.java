package org.berth.report;

import java.util.List;
import org.berth.drawing.internal.svg.Markup;
import org.berth.report.comparison.ReportText;

/** What all pages have in common. */
public final class HtmlParts {
    private HtmlParts() {}

    /** Opens a page, with its heading to come; {@link #end} closes it. */
    public static void begin(Markup out, String title) {
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
    }

    public static String end(Markup out) {
        out.close().close().close();
        return out.finish();
    }

    /** On a narrow screen each row becomes a block, whose lines repeat the heading. */
    public static void table(Markup out, String style, List<List<String>> rows) {
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

    /** Begins the box of the decision with a sentence and lines to copy; the caller closes it. */
    public static void answer(Markup out, List<String> answer) {
        out.open("div", "class", "verdict");
        answer.stream().limit(1).forEach(sentence -> out.leaf("h2", sentence, "class", "answer"));
        answer.stream().skip(1).forEach(line -> out.leaf("pre", line));
    }

    /** Begins a part that is folded on a screen and open on paper; the caller closes it. */
    public static void fold(Markup out, String title) {
        out.open("details", "class", "part").open("summary").leaf("h2", title).close();
    }

    /** What makes the numbers doubtful, as a box; nothing without it. */
    public static void warnings(Markup out, List<String> lines) {
        if (!lines.isEmpty()) {
            out.open("div", "class", "warning", "role", "note");
            lines.forEach(line -> out.leaf("p", line));
            out.close();
        }
    }

    public static void facts(Markup out, List<ReportFact> facts) {
        out.open("table", "class", "facts").open("tbody");
        for (ReportFact fact : facts) {
            out.open("tr")
                    .leaf("th", fact.label(), "scope", "row")
                    .leaf("td", fact.value())
                    .close();
        }
        out.close().close();
    }
}
