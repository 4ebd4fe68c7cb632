package org.berth.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.experiments.statistics.Spread;
import org.berth.report.comparison.Quantity;
import org.berth.text.Words;

/**
 * Pauses of collectors as a picture that stands alone: a row for each arm, with the median, the 99th percentile and the
 * longest pause of a run on one logarithmic axis, since the pauses of one collector may be a thousand times as long as those
 * of another. A pure function.
 *
 * @param lines below the title
 */
public record PauseFigureSvg(String title, List<String> lines, List<Panel> panels) {
    private static final int WIDTH = 760;
    private static final int EDGE_PERCENT = 3;
    private static final int HEADING_LENGTH = 42;
    private static final int LEGEND = 24;
    private static final int ROW = 34;
    private static final int HEAD = 38;
    private static final int FOOT = 40;
    private static final int LINE = 20;
    /** Shorter pauses than a microsecond are not told by the log. */
    private static final double SHORTEST_MILLIS = 0.001;

    private static final List<String> NAMES = List.of("median", "99 %", "longest");
    private static final String MARKS = """
            .sheet { fill: var(--card); } .title { font-weight: 700; font-size: 17px; }
            .span { stroke-width: 2; } .join { stroke: var(--line); stroke-width: 6; }
            """;

    /** One workload under one setting. */
    public record Panel(String heading, List<Row> rows) {
        public Panel {
            rows = List.copyOf(rows);
        }
    }

    /**
     * One arm.
     *
     * @param marks milliseconds: the median, the 99th percentile and the longest pause, each with its spread over the runs;
     *     empty without a pause
     */
    public record Row(String arm, List<Spread> marks) {
        public Row {
            marks = List.copyOf(marks);
        }
    }

    public PauseFigureSvg {
        lines = List.copyOf(lines);
        panels = List.copyOf(panels);
    }

    /** A complete SVG document. */
    public String render() {
        Markup out = new Markup();
        int head = 40 + LINE * lines.size();
        out.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "role",
                "img",
                "aria-label",
                title,
                "width",
                Integer.toString(WIDTH),
                "height",
                Integer.toString(head + height()));
        out.style(ReportStyle.CSS + MARKS);
        out.empty("rect", "class", "sheet", "width", "100%", "height", "100%");
        ReportChart.text(out, "title", "16", 30, title);
        for (int i = 0; i < lines.size(); i++) {
            ReportChart.text(out, "tick", "16", 52 + LINE * i, lines.get(i));
        }
        draw(out, head);
        out.close();
        return out.finishXml();
    }

    /**
     * Adds the picture to a page, as wide as the screen.
     *
     * @param id unique on the page
     */
    public void drawInPage(Markup out, String id) {
        String note = String.join(" ", lines);
        ReportChart.begin(out, id, title, note, height());
        out.style(MARKS);
        draw(out, 0);
        ReportChart.end(out, note);
    }

    private int height() {
        return LEGEND
                + panels.stream()
                        .mapToInt(panel -> HEAD + ROW * panel.rows().size() + FOOT)
                        .sum();
    }

    private void draw(Markup out, int top) {
        int x = 22;
        for (int i = 0; i < NAMES.size(); i++) {
            ReportChart.marker(out, i + 1, "", Markup.number(x), top + 12, NAMES.get(i));
            ReportChart.text(out, "tick", Markup.number(x + 12), top + 16, NAMES.get(i));
            x += 90;
        }
        int head = top + LEGEND;
        for (Panel panel : panels) {
            draw(out, panel, head);
            head += HEAD + ROW * panel.rows().size() + FOOT;
        }
    }

    private void draw(Markup out, Panel panel, int head) {
        ReportChart.text(out, "name", "1%", head + 20, Words.shorten(panel.heading(), HEADING_LENGTH));
        int top = head + HEAD;
        int bottom = top + ROW * panel.rows().size();
        for (int power = low(); power <= high(); power++) {
            String x = x(Math.pow(10, power));
            ReportChart.line(out, "grid", x, top, x, bottom);
            String anchor = power == low() ? "tick" : power == high() ? "tick end" : "tick middle";
            ReportChart.text(out, anchor, x, bottom + 16, millis(Math.pow(10, power)) + (power == high() ? " ms" : ""));
        }
        for (int i = 0; i < panel.rows().size(); i++) {
            row(out, panel.rows().get(i), top + ROW * i);
        }
    }

    private void row(Markup out, Row row, int top) {
        ReportChart.text(out, "value", "1%", top + 13, Words.shorten(row.arm(), HEADING_LENGTH));
        if (row.marks().isEmpty()) {
            ReportChart.text(out, "tick", "1%", top + 28, "no pause");
            return;
        }
        int y = top + 24;
        String first = x(row.marks().get(0).median());
        String last = x(row.marks().get(row.marks().size() - 1).median());
        ReportChart.line(out, "join", first, y, last, y);
        for (int i = 0; i < row.marks().size(); i++) {
            Spread spread = row.marks().get(i);
            String tooltip = row.arm() + ", " + NAMES.get(i) + ": " + millis(spread.median()) + " ms ("
                    + millis(spread.min()) + " to " + millis(spread.max()) + ")";
            ReportChart.line(out, "arm" + (i + 1) + " span", x(spread.min()), y, x(spread.max()), y);
            ReportChart.marker(out, i + 1, "", x(spread.median()), y, tooltip);
        }
    }

    private DoubleStream all() {
        return panels.stream()
                .flatMap(panel -> panel.rows().stream())
                .flatMap(row -> row.marks().stream())
                .flatMap(spread -> Stream.of(spread.min(), spread.max()))
                .mapToDouble(millis -> Math.max(SHORTEST_MILLIS, millis));
    }

    private int low() {
        return (int) Math.floor(Math.log10(all().min().orElse(1)) + 1e-9);
    }

    private int high() {
        return Math.max(low() + 1, (int) Math.ceil(Math.log10(all().max().orElse(1)) - 1e-9));
    }

    private String x(double millis) {
        double share = (Math.log10(Math.max(SHORTEST_MILLIS, millis)) - low()) / (high() - low());
        return Markup.percent(EDGE_PERCENT + share * (100 - 2 * EDGE_PERCENT));
    }

    /** Three digits: "0.0123", "1.2", "340". */
    public static String millis(double millis) {
        if (millis >= 100) {
            return Quantity.count(millis);
        }
        String format = millis >= 10 ? "%.1f" : millis >= 1 ? "%.2f" : "%.3f";
        String text = String.format(Locale.ROOT, format, millis);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
