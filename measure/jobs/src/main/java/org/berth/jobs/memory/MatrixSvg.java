package org.berth.jobs.memory;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.jobs.memory.MatrixSvg.Panel;

/**
 * Matrices of CPUs and memory as heat maps: one panel for each measure, the darker the worse, each number in its cell. The
 * page follows the reader's light or dark scheme; the cells keep their colours (ColorBrewer's YlOrBr, which is told apart
 * without seeing red and green). A pure function.
 */
record MatrixSvg(String title, String unit, List<Panel> panels) {
    /**
     * One measure.
     *
     * @param lessIsBetter as of a latency
     * @param values a list for each row, a number for each column
     */
    record Panel(
            String measure, boolean lessIsBetter, List<String> rows, List<String> columns, List<List<Double>> values) {
        private double best() {
            return lessIsBetter ? all().min().orElse(1) : all().max().orElse(1);
        }

        private double worst() {
            return lessIsBetter ? all().max().orElse(1) : all().min().orElse(1);
        }

        private DoubleStream all() {
            return values.stream().flatMap(List::stream).mapToDouble(Double::doubleValue);
        }

        /** How many times as bad as the best cell: 1 or more. */
        private double times(double value) {
            return lessIsBetter ? value / best() : best() / value;
        }
    }

    /** Differences below it are noise and must not look like more. */
    private static final double LEAST_RANGE = 1.2;

    private static final int MARGIN = 16;
    private static final int HEAD = 64;
    /** The width of a letter of 13 pixels, with room for wide fonts. */
    private static final int LETTER = 8;

    private static final int LEGEND_LETTERS = 50;
    private static final int CELL_WIDTH = 96;
    private static final int CELL_HEIGHT = 48;
    private static final int PANEL_HEAD = 52;
    private static final int LEGEND = 54;

    private static final List<String> SCALE =
            List.of("#ffffe5", "#fff7bc", "#fee391", "#fec44f", "#fe9929", "#ec7014", "#cc4c02", "#993404", "#662506");

    private static final String SUBTITLE =
            "Rows: threads. Columns: memory. Small: how many times as bad as the best cell.";

    private static final String STYLE = """
            text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1b2430; }
            .title { font-weight: bold; font-size: 16px; } .measure { font-weight: bold; }
            .soft { fill: #515c69; } .middle { text-anchor: middle; } .end { text-anchor: end; }
            .page { fill: #ffffff; } .cell { stroke: #8d97a3; }
            .dark { fill: #1b2430; } .light { fill: #ffffff; } .small { font-size: 11px; }
            @media (prefers-color-scheme: dark) { text { fill: #e6ebf0; } .soft { fill: #a7b2be; } .page { fill: #12161b; }
            .dark { fill: #1b2430; } .light { fill: #ffffff; } }
            """;

    /** A complete SVG document. */
    String render() {
        int columns =
                panels.stream().mapToInt(panel -> panel.columns().size()).max().orElse(1);
        int beside = Math.max(columns * CELL_WIDTH, LEGEND_LETTERS * LETTER);
        int width = Math.max(left() + beside, SUBTITLE.length() * LETTER) + MARGIN;
        int height = HEAD + MARGIN;
        for (Panel panel : panels) {
            height += height(panel);
        }
        Markup out = new Markup();
        out.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "role",
                "img",
                "aria-label",
                title,
                "width",
                Integer.toString(width),
                "height",
                Integer.toString(height),
                "viewBox",
                "0 0 " + width + " " + height);
        out.text("\n").style(STYLE).empty("rect", "class", "page", "width", "100%", "height", "100%");
        text(out, "title", MARGIN, 30, title);
        text(out, "soft", MARGIN, 52, SUBTITLE);
        int top = HEAD;
        for (Panel panel : panels) {
            draw(out, panel, top);
            top += height(panel);
        }
        return out.close().finishXml();
    }

    /** Behind the longest name of a row. */
    private int left() {
        return MARGIN
                + LETTER
                        * panels.stream()
                                .flatMap(panel -> panel.rows().stream())
                                .mapToInt(row -> row.length() + 2)
                                .max()
                                .orElse(0);
    }

    private static int height(Panel panel) {
        return PANEL_HEAD + panel.rows().size() * CELL_HEIGHT + LEGEND;
    }

    private void draw(Markup out, Panel panel, int top) {
        int left = left();
        text(out, "measure", MARGIN, top + 40, panel.measure() + ", " + unit);
        for (int column = 0; column < panel.columns().size(); column++) {
            text(
                    out,
                    "soft middle",
                    left + column * CELL_WIDTH + CELL_WIDTH / 2,
                    top + 40,
                    panel.columns().get(column));
        }
        for (int row = 0; row < panel.rows().size(); row++) {
            int y = top + PANEL_HEAD + row * CELL_HEIGHT;
            text(out, "soft", MARGIN, y + CELL_HEIGHT / 2 + 5, panel.rows().get(row));
            List<Double> values = panel.values().get(row);
            for (int column = 0; column < values.size(); column++) {
                cell(out, panel, values.get(column), left + column * CELL_WIDTH, y);
            }
        }
        legend(out, panel, left, top + PANEL_HEAD + panel.rows().size() * CELL_HEIGHT + 14);
    }

    private static void cell(Markup out, Panel panel, double value, int x, int y) {
        int step = step(panel, value);
        String ink = step >= 6 ? "light" : "dark";
        rectangle(out, x, y, CELL_WIDTH, CELL_HEIGHT, step);
        text(out, ink + " middle", x + CELL_WIDTH / 2, y + 21, number(value));
        text(
                out,
                ink + " small middle",
                x + CELL_WIDTH / 2,
                y + 38,
                value == panel.best() ? "best" : String.format(Locale.ROOT, "%.2f times", panel.times(value)));
    }

    /** The colours from the best to the worst number. */
    private void legend(Markup out, Panel panel, int left, int y) {
        int step = 14;
        for (int i = 0; i < SCALE.size(); i++) {
            rectangle(out, left + i * step, y, step, 12, i);
        }
        double times = Math.max(LEAST_RANGE, panel.times(panel.worst()));
        String end = String.format(
                Locale.ROOT,
                "best %s %s; darkest: %.1f times as %s",
                number(panel.best()),
                unit,
                times,
                panel.lessIsBetter() ? "long" : "slow");
        text(out, "soft small", left + SCALE.size() * step + 8, y + 10, end);
    }

    private static int step(Panel panel, double value) {
        double range = Math.max(LEAST_RANGE, panel.times(panel.worst())) - 1;
        return (int) Math.round((SCALE.size() - 1) * Math.min(1, (panel.times(value) - 1) / range));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    private static void rectangle(Markup out, int x, int y, int width, int height, int step) {
        out.empty(
                "rect",
                "class",
                "cell",
                "x",
                Integer.toString(x),
                "y",
                Integer.toString(y),
                "width",
                Integer.toString(width),
                "height",
                Integer.toString(height),
                "fill",
                SCALE.get(step));
    }

    private static void text(Markup out, String style, int x, int y, String text) {
        out.leaf("text", text, "class", style, "x", Integer.toString(x), "y", Integer.toString(y));
    }
}
