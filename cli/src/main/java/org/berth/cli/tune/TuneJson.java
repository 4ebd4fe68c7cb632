package org.berth.cli.tune;

import java.util.Optional;
import org.berth.drawing.internal.text.Json;
import org.berth.drawing.internal.text.Labels;
import org.berth.experiments.Verdict;
import org.berth.experiments.race.Race;
import org.berth.experiments.race.RaceResult;
import org.berth.experiments.statistics.Ratio;

/** The answer of a race as data; the fields are in docs/commands/tune.md. */
final class TuneJson {
    private TuneJson() {}

    static String of(TuneReport report) {
        RaceResult result = report.result();
        return Json.of(Json.object()
                .with("format", "berth-tune")
                .with("version", 1)
                .with("work", result.experiment().name())
                .with(
                        "metric",
                        report.metric()
                                .map(metric -> Json.object()
                                        .with("name", metric.name())
                                        .with("unit", metric.unit())
                                        .with("better", metric.better())))
                .with("otherWork", result.otherWork())
                .with("answer", Labels.lower(report.answer()).replace('_', '-'))
                .with("line", report.line())
                .with("leaveToKernel", report.leaveToKernel())
                .with("stopped", result.stopped())
                .withEach("candidates", report.candidates().list(), candidate -> candidate(candidate, report))
                .with("same", report.candidates().same())
                .with(
                        "confirmation",
                        result.verdict()
                                .map(verdict -> confirmation(
                                        result.winner().orElseThrow().name(), verdict)))
                .with("results", result.directory().toString()));
    }

    private static Json.Fields candidate(TuneCandidate candidate, TuneReport report) {
        Optional<Race.Standing> standing = report.standing(candidate.name());
        return Json.object()
                .with("name", candidate.name())
                .with("options", candidate.options())
                .with("cpus", candidate.cpus())
                .with("pairs", standing.map(known -> known.quotients().size()))
                .with("ratio", report.ratio(standing))
                .with("fate", report.fate(candidate.name(), standing));
    }

    /** The verdict on fresh runs, none of which took part in the choice. */
    private static Json.Fields confirmation(String winner, Verdict verdict) {
        return Json.object()
                .with("winner", winner)
                .with("kind", verdict.kind())
                .with("pairs", verdict.pairs())
                .with("ratio", verdict.estimate())
                .with("low", verdict.interval().map(Ratio.Interval::low))
                .with("high", verdict.interval().map(Ratio.Interval::high))
                .with("detectable", verdict.detectable());
    }
}
