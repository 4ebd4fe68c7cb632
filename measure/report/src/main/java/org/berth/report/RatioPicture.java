package org.berth.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.report.comparison.VerdictText;
import org.berth.text.Words;

/** Ratios to a baseline as a picture of a page, a row each, over the band of what counts as the same. */
public final class RatioPicture {
    private static final int ROW = 34;
    private static final int AXIS = 26;

    /** Letters of a name and its word that fit a phone next to each other. */
    private static final int LETTERS = 40;

    private RatioPicture() {}

    /** An axis for all rows, also those of other pictures that are compared with them. */
    public static Axis scale(double margin, List<RacePage.Row> rows) {
        return Axis.around(DoubleStream.concat(
                DoubleStream.of(1 - margin, 1 + margin), rows.stream().flatMapToDouble(RacePage.Row::numbers)));
    }

    /**
     * Adds the picture; nothing without rows.
     *
     * @param id unique on the page
     * @param note what the marks mean
     */
    public static void draw(
            Markup out, String id, String title, String note, double margin, Axis scale, List<RacePage.Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        int bottom = ROW * rows.size() + 4;
        ReportChart.begin(out, id, title, note, bottom + AXIS);
        ReportSpreadCharts.band(out, scale, margin, bottom);
        ReportChart.axis(out, scale, 4, bottom, "");
        for (int i = 0; i < rows.size(); i++) {
            row(out, scale, rows.get(i), i);
        }
        ReportChart.end(
                out,
                note + " Grey: the same within " + VerdictText.margin(margin) + "." + ReportChart.beginning(scale));
    }

    private static void row(Markup out, Axis scale, RacePage.Row row, int index) {
        int top = ROW * index;
        double y = top + 25;
        int room = Math.max(ReportChart.NAME_LENGTH, LETTERS - row.word().length());
        ReportChart.text(out, "name", "1%", top + 15, Words.shorten(row.name(), room));
        ReportChart.text(out, "value end", "99%", top + 15, row.word());
        row.confirmed()
                .ifPresent(interval -> ReportChart.line(
                        out,
                        "interval arm1",
                        Markup.percent(ReportChart.percent(scale, interval.low())),
                        y,
                        Markup.percent(ReportChart.percent(scale, interval.high())),
                        y));
        for (double pair : row.pairs()) {
            String x = Markup.percent(ReportChart.percent(scale, pair));
            ReportChart.line(out, "whisker", x, y - 4, x, y + 4);
        }
        row.estimate()
                .ifPresent(value -> ReportChart.marker(
                        out,
                        row.confirmed().isPresent() ? 1 : 0,
                        "",
                        Markup.percent(ReportChart.percent(scale, value)),
                        y,
                        row.name() + ": " + String.format(Locale.ROOT, "%.3f", value)));
    }
}
