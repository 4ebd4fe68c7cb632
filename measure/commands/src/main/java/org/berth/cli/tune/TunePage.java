package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.experiments.Verdict;
import org.berth.experiments.race.Race;
import org.berth.experiments.race.RaceResult;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.statistics.Ratio;
import org.berth.report.RacePage;
import org.berth.text.ShellWord;
import org.berth.text.Words;

/** The result of a race as a page. A pure function. */
final class TunePage {
    private TunePage() {}

    /** @param written when, as a reader should see it */
    static String html(TuneReport report, String written) {
        RaceResult result = report.result();
        Optional<ArmSummary> confirmed = result.confirmed();
        Optional<Ratio.Interval> interval = result.verdict().flatMap(Verdict::interval);
        List<RacePage.Row> rows = new ArrayList<>();
        List<List<String>> cells = new ArrayList<>();
        cells.add(List.of("Candidate", "Options", Words.capital(report.measure()) + " / none", "Pairs", "Verdict"));
        for (TuneCandidate one : report.candidates().list()) {
            Optional<Race.Standing> standing = report.standing(one.name());
            OptionalDouble ratio = report.ratio(standing);
            List<Double> pairs = standing.map(Race.Standing::quotients).orElse(List.of()).stream()
                    .map(pair -> report.higherIsBetter() ? 1 / pair : pair)
                    .toList();
            String word = report.word(one.name(), standing);
            boolean isWinner =
                    confirmed.filter(arm -> arm.arm().equals(one.name())).isPresent();
            rows.add(new RacePage.Row(one.name(), word, pairs, ratio, isWinner ? interval : Optional.empty()));
            cells.add(List.of(
                    one.name(),
                    one.options(),
                    ratio.isPresent() ? String.format(Locale.ROOT, "%.3f", ratio.getAsDouble()) : "–",
                    Integer.toString(pairs.size()),
                    word));
        }
        return new RacePage(
                        result.experiment().name(),
                        written,
                        report.sentence(),
                        report.warnings(),
                        report.measure(),
                        report.higherIsBetter() ? "Right of 1 is better." : "Left of 1 is better.",
                        Verdict.MARGIN,
                        rows,
                        cells,
                        result.experiment().arms().stream()
                                .map(arm -> List.of(arm.name(), ShellWord.line(arm.command())))
                                .toList(),
                        result.directory().toString())
                .html();
    }
}
