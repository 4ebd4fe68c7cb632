package org.berth.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.experiments.statistics.Ratio;
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

        DoubleStream numbers() {
            return Stream.of(
                            pairs.stream().mapToDouble(Double::doubleValue),
                            estimate.stream(),
                            confirmed.stream().flatMapToDouble(one -> DoubleStream.of(one.low(), one.high())))
                    .flatMapToDouble(all -> all);
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
        HtmlParts.fold(out, "The exact commands");
        commands.forEach(one -> out.leaf("h3", one.get(0)).leaf("pre", one.get(1)));
        out.close();
        out.leaf("p", "Raw results and logs: " + folder, "class", "meta");
        return HtmlParts.end(out);
    }

    private void picture(Markup out) {
        List<Row> drawn = rows.stream()
                .filter(row -> !row.pairs().isEmpty() || row.confirmed().isPresent())
                .limit(MOST_ROWS)
                .toList();
        RatioPicture.draw(
                out,
                "race",
                Words.capital(quantity) + " / none, each pair of the race",
                belowOne
                        + " Small marks: pairs of runs. Large mark: all of them, which selected the winner and so flatters it."
                        + " Thick line: 95 % interval of fresh runs.",
                margin,
                RatioPicture.scale(margin, drawn),
                drawn);
    }
}
