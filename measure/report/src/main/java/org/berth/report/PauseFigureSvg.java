package org.berth.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.experiments.statistics.Spread;

/**
 * Pauses of collectors as a picture that stands alone: a row for each arm, with the median, the 99th percentile and the
 * longest pause of a run on one logarithmic axis, since the pauses of one collector may be a thousand times as long as those
 * of another. A pure function.
 *
 * @param lines below the title
 */
public record PauseFigureSvg(String title, List<String> lines, List<Panel> panels) {
    private static final int WIDTH = 760;
    private static final int LEFT = 110;
    private static final int MOST_LEFT = 400;
    private static final int LETTER = 8;
    private static final int RIGHT = 30;
    private static final int ROW = 26;
    private static final int HEAD = 38;
    private static final int FOOT = 40;
    private static final int LINE = 20;
    /** Shorter pauses than a microsecond are not told by the log. */
    private static final double SHORTEST_MILLIS = 0.001;

    private static final List<String> NAMES = List.of("median", "99 %", "longest");
    private static final String STYLE = ReportStyle.CSS + """
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
        draw(out);
        return out.finishXml();
    }

    /** Adds the picture to a page. */
    public void draw(Markup out) {
        int head = 64 + LINE * lines.size();
        int height = head
                + panels.stream()
                        .mapToInt(panel -> HEAD + ROW * panel.rows().size() + FOOT)
                        .sum();
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
                Integer.toString(height),
                "viewBox",
                "0 0 " + WIDTH + " " + height);
        out.style(STYLE);
        out.empty("rect", "class", "sheet", "width", "100%", "height", "100%");
        ReportChart.text(out, "title", "16", 30, title);
        for (int i = 0; i < lines.size(); i++) {
            ReportChart.text(out, "tick", "16", 52 + LINE * i, lines.get(i));
        }
        legend(out, 52 + LINE * lines.size());
        for (Panel panel : panels) {
            draw(out, panel, head);
            head += HEAD + ROW * panel.rows().size() + FOOT;
        }
        out.close();
    }

    private static void legend(Markup out, int y) {
        int x = 22;
        for (int i = 0; i < NAMES.size(); i++) {
            ReportChart.marker(out, i + 1, "", Markup.number(x), y - 4, NAMES.get(i));
            ReportChart.text(out, "tick", Markup.number(x + 12), y, NAMES.get(i));
            x += 90;
        }
    }

    private void draw(Markup out, Panel panel, int head) {
        ReportChart.text(out, "name", "16", head + 20, panel.heading());
        int top = head + HEAD;
        int bottom = top + ROW * panel.rows().size();
        for (int power = low(); power <= high(); power++) {
            double x = x(Math.pow(10, power));
            out.empty(
                    "line",
                    "class",
                    "grid",
                    "x1",
                    Markup.number(x),
                    "y1",
                    Markup.number(top),
                    "x2",
                    Markup.number(x),
                    "y2",
                    Markup.number(bottom));
            ReportChart.text(out, "tick middle", Markup.number(x), bottom + 16, millis(Math.pow(10, power)) + " ms");
        }
        for (int i = 0; i < panel.rows().size(); i++) {
            row(out, panel.rows().get(i), top + ROW * i + ROW / 2);
        }
    }

    private void row(Markup out, Row row, int y) {
        ReportChart.text(out, "end", Markup.number(left() - 10), y + 4, row.arm());
        if (row.marks().isEmpty()) {
            ReportChart.text(out, "tick", Markup.number(left() + 6), y + 4, "no pause");
            return;
        }
        double first = x(row.marks().get(0).median());
        double last = x(row.marks().get(row.marks().size() - 1).median());
        ReportChart.line(out, "join", Markup.number(first), y, Markup.number(last), y);
        for (int i = 0; i < row.marks().size(); i++) {
            Spread spread = row.marks().get(i);
            String tooltip = row.arm() + ", " + NAMES.get(i) + ": " + millis(spread.median()) + " ms ("
                    + millis(spread.min()) + " to " + millis(spread.max()) + ")";
            ReportChart.line(
                    out,
                    "arm" + (i + 1) + " span",
                    Markup.number(x(spread.min())),
                    y,
                    Markup.number(x(spread.max())),
                    y);
            ReportChart.marker(out, i + 1, "", Markup.number(x(spread.median())), y, tooltip);
        }
    }

    private DoubleStream all() {
        return panels.stream()
                .flatMap(panel -> panel.rows().stream())
                .flatMap(row -> row.marks().stream())
                .flatMap(spread -> Stream.of(spread.min(), spread.max()))
                .mapToDouble(millis -> Math.max(SHORTEST_MILLIS, millis));
    }

    /** Room for the longest name of an arm, such as "shenandoah+numa+level=numa+memory=interleave". */
    private int left() {
        int letters = panels.stream()
                .flatMap(panel -> panel.rows().stream())
                .mapToInt(row -> row.arm().length())
                .max()
                .orElse(0);
        return Math.max(LEFT, Math.min(MOST_LEFT, LETTER * letters + 20));
    }

    private int low() {
        return (int) Math.floor(Math.log10(all().min().orElse(1)) + 1e-9);
    }

    private int high() {
        return Math.max(low() + 1, (int) Math.ceil(Math.log10(all().max().orElse(1)) - 1e-9));
    }

    private double x(double millis) {
        double share = (Math.log10(Math.max(SHORTEST_MILLIS, millis)) - low()) / (high() - low());
        return left() + share * (WIDTH - left() - RIGHT);
    }

    /** Three digits: "0.0123", "1.2", "340". */
    public static String millis(double millis) {
        String format = millis >= 100 ? "%.0f" : millis >= 10 ? "%.1f" : millis >= 1 ? "%.2f" : "%.3f";
        String text = String.format(Locale.ROOT, format, millis);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
