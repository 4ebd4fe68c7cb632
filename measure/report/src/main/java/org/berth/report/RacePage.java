package org.berth.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.experiments.statistics.Ratio;
import org.berth.report.comparison.VerdictText;
import org.berth.text.Words;

/**
 * A race of candidates as one page that needs nothing but itself: the answer, and all pairs of all candidates. Immutable.
 *
 * @param title what was run
 * @param written when, as a reader should see it
 * @param answer one sentence, then lines to copy
 * @param warnings what makes the numbers doubtful
 * @param quantity what was compared, such as "wall time"
 * @param belowOne what a ratio below 1 means
 * @param margin within which candidates count as the same, 0.02 for 2 %
 * @param rows the candidates
 * @param table with a heading
 * @param commands names and lines for a shell
 * @param folder where raw results are
 */
public record RacePage(
        String title,
        String written,
        List<String> answer,
        List<String> warnings,
        String quantity,
        String belowOne,
        double margin,
        List<Row> rows,
        List<List<String>> table,
        List<List<String>> commands,
        String folder) {
    private static final int ROW = 34;
    private static final int AXIS = 26;

    /** Candidates beyond these are in the table only. */
    private static final int MOST_ROWS = 40;

    public RacePage {
        answer = List.copyOf(answer);
        warnings = List.copyOf(warnings);
        rows = List.copyOf(rows);
        table = List.copyOf(table);
        commands = List.copyOf(commands);
    }

    /**
     * A candidate.
     *
     * @param word what became of it
     * @param pairs the ratio to the baseline in each pair of the race
     * @param estimate of all of them
     * @param confirmed what fresh runs say of the winner
     */
    public record Row(
            String name, String word, List<Double> pairs, OptionalDouble estimate, Optional<Ratio.Interval> confirmed) {
        public Row {
            pairs = List.copyOf(pairs);
        }

        private DoubleStream numbers() {
            return DoubleStream.concat(
                    pairs.stream().mapToDouble(Double::doubleValue),
                    confirmed.stream().flatMapToDouble(one -> DoubleStream.of(one.low(), one.high())));
        }
    }

    /** The whole page. */
    public String html() {
        Markup out = new Markup();
        String heading = "Berth race: " + title;
        HtmlParts.begin(out, heading);
        out.leaf("h1", heading);
        out.leaf("p", written, "class", "meta");
        HtmlParts.answer(out, answer);
        out.close();
        HtmlParts.warnings(out, warnings);
        picture(out);
        out.leaf("h2", "The candidates");
        HtmlParts.table(out, "stack", table);
        out.leaf("h2", "The exact commands");
        commands.forEach(one -> out.leaf("h3", one.get(0)).leaf("pre", one.get(1)));
        out.leaf("p", "Raw results and logs: " + folder, "class", "meta");
        return HtmlParts.end(out);
    }

    private void picture(Markup out) {
        List<Row> drawn = rows.stream()
                .filter(row -> !row.pairs().isEmpty() || row.confirmed().isPresent())
                .limit(MOST_ROWS)
                .toList();
        if (drawn.isEmpty()) {
            return;
        }
        Axis scale = Axis.around(DoubleStream.concat(
                DoubleStream.of(1 - margin, 1 + margin), drawn.stream().flatMapToDouble(Row::numbers)));
        int bottom = ROW * drawn.size() + 4;
        ReportChart.begin(
                out,
                "race",
                Words.capital(quantity) + " / none, each pair of the race",
                belowOne
                        + " Small marks: pairs of runs. Large marks: the estimate of all of them. Thick line: the 95 percent"
                        + " interval of fresh runs.",
                bottom + AXIS);
        ReportChart.axis(out, scale, 4, bottom, "");
        ReportSpreadCharts.band(out, scale, margin, bottom);
        for (int i = 0; i < drawn.size(); i++) {
            row(out, scale, drawn.get(i), i);
        }
        ReportChart.end(
                out,
                belowOne
                        + " Small marks: pairs of runs. Large mark: all of them, which selected the winner and so flatters it."
                        + " Thick line: 95 % interval of fresh runs. Grey: the same within "
                        + VerdictText.margin(margin)
                        + "." + ReportChart.beginning(scale));
    }

    private static void row(Markup out, Axis scale, Row row, int index) {
        int top = ROW * index;
        double y = top + 25;
        ReportChart.text(out, "name", "1%", top + 15, Words.shorten(row.name(), ReportChart.NAME_LENGTH));
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
