package org.berth.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.experiments.statistics.Spread;
import org.berth.report.comparison.Quantity;

/**
 * Medians with their range as a picture that stands alone: curves or bars, upward, in the style of the report. A pure
 * function.
 *
 * @param lines below the title
 * @param panels from top to bottom
 */
public record FigureSvg(String title, List<String> lines, List<Panel> panels) {
    private static final int WIDTH = 760;
    private static final int LEFT = 74;
    private static final int RIGHT = 24;
    private static final int PLOT_HEIGHT = 250;
    private static final int HEAD = 56;
    private static final int FOOT = 58;
    private static final int LINE = 20;
    private static final int BAR_WIDTH = 64;
    /** The part of a place's width that its bars take together. */
    private static final double GROUP_SHARE = 0.8;

    private static final int ARM_COLOURS = ReportChart.MARKERS;
    private static final int MOST_DODGE = 12;
    private static final int CAP = 5;

    private static final String STYLE = ReportStyle.CSS + """
            .sheet { fill: var(--card); } .title { font-weight: 700; font-size: 17px; }
            .curve { fill: none; stroke-width: 2; }
            """;

    /**
     * Numbers with one upward axis, which begins at 0.
     *
     * @param places names along the bottom, in their order
     * @param bars series as bars next to each other, else each series as a curve
     */
    public record Panel(
            String heading, String across, Quantity up, List<String> places, List<Series> series, boolean bars) {
        public Panel {
            places = List.copyOf(places);
            series = List.copyOf(series);
        }
    }

    /**
     * One curve, or the bars of one colour.
     *
     * @param points one for each place; empty where there is nothing
     */
    public record Series(String name, List<Optional<Spread>> points) {
        public Series {
            points = List.copyOf(points);
        }
    }

    public FigureSvg {
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
        int head = 40 + LINE * lines.size();
        int height = head + panels.stream().mapToInt(FigureSvg::height).sum();
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
        for (Panel panel : panels) {
            new Drawing(out, panel, head).draw();
            head += height(panel);
        }
        out.close();
    }

    private static int height(Panel panel) {
        return headHeight(panel) + PLOT_HEIGHT + FOOT;
    }

    private static int headHeight(Panel panel) {
        return HEAD + LINE * (legendRows(panel).size() - 1);
    }

    /** The names of the series by the lines of the legend that they fill; one empty line without a legend. */
    private static List<List<String>> legendRows(Panel panel) {
        List<List<String>> rows = new ArrayList<>(List.of(new ArrayList<>()));
        int x = LEFT;
        for (Series series : panel.bars() && panel.series().size() == 1 ? List.<Series>of() : panel.series()) {
            if (x > LEFT && x + legendWidth(series.name()) > WIDTH) {
                rows.add(new ArrayList<>());
                x = LEFT;
            }
            rows.get(rows.size() - 1).add(series.name());
            x += legendWidth(series.name());
        }
        return rows;
    }

    private static int legendWidth(String name) {
        return 40 + 8 * name.length();
    }

    /** @param head where the panel begins */
    private record Drawing(Markup out, Panel panel, int head) {
        void draw() {
            ReportChart.text(out, "name", "16", head + 24.0, panel.heading());
            legend();
            axes();
            for (int i = 0; i < panel.series().size(); i++) {
                if (panel.bars()) {
                    bars(i);
                } else {
                    curve(i);
                }
            }
        }

        private int top() {
            return head + headHeight(panel);
        }

        private int bottom() {
            return top() + PLOT_HEIGHT;
        }

        private Axis scale() {
            return Axis.fromZero(panel.series().stream()
                    .flatMap(one -> one.points().stream())
                    .flatMap(Optional::stream)
                    .mapToDouble(Spread::max));
        }

        /** The scale, with room above the highest bar for its number. */
        private double y(double value) {
            return bottom() - scale().share(value) * (PLOT_HEIGHT - 20);
        }

        private double step() {
            return (WIDTH - LEFT - RIGHT) / (double) panel.places().size();
        }

        private double x(int place) {
            return LEFT + step() * (place + 0.5);
        }

        private void axes() {
            Axis scale = scale();
            for (double mark : scale.marks()) {
                ReportChart.line(out, "grid", Markup.number(LEFT), y(mark), Markup.number(WIDTH - RIGHT), y(mark));
                ReportChart.text(out, "tick end", Markup.number(LEFT - 8), y(mark) + 4, scale.label(mark));
            }
            for (int i = 0; i < panel.places().size(); i++) {
                text("tick middle", x(i), bottom() + 18, panel.places().get(i));
            }
            text("tick middle", (LEFT + WIDTH - RIGHT) / 2.0, bottom() + 40, panel.across());
        }

        private void legend() {
            int index = 0;
            double y = head + 40.0;
            for (List<String> row : legendRows(panel)) {
                double x = LEFT;
                for (String name : row) {
                    ReportChart.marker(out, index++, "", Markup.number(x), y, name);
                    text("", x + 12, y + 5, name);
                    x += legendWidth(name);
                }
                y += LINE;
            }
        }

        private void bars(int index) {
            Series series = panel.series().get(index);
            int all = panel.series().size();
            double width = Math.min(BAR_WIDTH, GROUP_SHARE * step() / all);
            for (int i = 0; i < series.points().size(); i++) {
                double x = x(i) + width * (index - (all - 1) / 2.0);
                Optional<Spread> point = series.points().get(i);
                if (point.isEmpty()) {
                    if (all == 1) {
                        text("tick middle", x, bottom() - 8, "none here");
                    }
                    continue;
                }
                Spread spread = point.get();
                out.open(
                        "rect",
                        "class",
                        "bar arm" + (all == 1 ? 1 : index % ARM_COLOURS),
                        "x",
                        Markup.number(x - width / 2),
                        "y",
                        Markup.number(y(spread.median())),
                        "width",
                        Markup.number(width),
                        "height",
                        Markup.number(bottom() - y(spread.median())));
                String name = all == 1 ? "" : series.name() + ", ";
                out.leaf(
                        "title",
                        name + panel.places().get(i) + ": " + panel.up().spread(spread));
                out.close();
                range(x, spread);
                if (all == 1) {
                    text("value middle", x, y(spread.max()) - 8, Quantity.number(spread.median()));
                }
            }
        }

        /** Offsets series a little from each other, so that their ranges can be told apart. */
        private void curve(int index) {
            Series series = panel.series().get(index);
            double shift = MOST_DODGE * (index - (panel.series().size() - 1) / 2.0);
            StringBuilder points = new StringBuilder();
            for (int i = 0; i < series.points().size(); i++) {
                if (series.points().get(i).isPresent()) {
                    points.append(Markup.number(x(i) + shift))
                            .append(',')
                            .append(Markup.number(y(series.points().get(i).get().median())))
                            .append(' ');
                }
            }
            out.empty(
                    "polyline",
                    "class",
                    "arm" + index % ARM_COLOURS + " curve",
                    "points",
                    points.toString().strip());
            for (int i = 0; i < series.points().size(); i++) {
                if (series.points().get(i).isPresent()) {
                    Spread spread = series.points().get(i).get();
                    range(x(i) + shift, spread);
                    ReportChart.marker(
                            out,
                            index,
                            "",
                            Markup.number(x(i) + shift),
                            y(spread.median()),
                            series.name() + ", " + panel.places().get(i) + ": "
                                    + panel.up().spread(spread));
                }
            }
        }

        private void range(double x, Spread spread) {
            String at = Markup.number(x);
            ReportChart.line(out, "whisker", at, y(spread.min()), at, y(spread.max()));
            for (double end : new double[] {spread.min(), spread.max()}) {
                ReportChart.line(out, "whisker", Markup.number(x - CAP), y(end), Markup.number(x + CAP), y(end));
            }
        }

        private void text(String style, double x, double y, String text) {
            ReportChart.text(out, style, Markup.number(x), y, text);
        }
    }
}
