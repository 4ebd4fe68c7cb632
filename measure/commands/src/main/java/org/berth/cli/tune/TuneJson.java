package org.berth.cli.tune;

import java.util.Optional;
import org.berth.experiments.Verdict;
import org.berth.experiments.race.Race;
import org.berth.experiments.race.RaceBudget;
import org.berth.experiments.race.RacePlan;
import org.berth.experiments.race.RaceResult;
import org.berth.experiments.statistics.Ratio;
import org.berth.text.Json;
import org.berth.text.Words;

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
                .with("seed", result.experiment().seed())
                .with("otherWork", result.otherWork())
                .with("answer", Words.of(report.answer()))
                .with("line", report.line())
                .with("settings", report.settings().isEmpty() ? Optional.empty() : Optional.of(report.settings()))
                .with("leaveToKernel", report.leaveToKernel())
                .with("stopped", result.stopped())
                .withEach("candidates", report.candidates().list(), candidate -> candidate(candidate, report))
                .with("dropped", report.candidates().dropped())
                .with(
                        "confirmation",
                        result.verdict()
                                .map(verdict -> confirmation(
                                        result.winner().orElseThrow().name(), report.kind(verdict), verdict)))
                .with("results", result.directory().toString()));
    }

    private static Json.Fields candidate(TuneCandidate candidate, TuneReport report) {
        Optional<Race.Standing> standing = report.standing(candidate.name());
        return candidate(candidate)
                .with("pairs", standing.map(known -> known.quotients().size()))
                .with("ratio", report.ratio(standing))
                .with("fate", report.fate(candidate.name(), standing));
    }

    private static Json.Fields candidate(TuneCandidate candidate) {
        return Json.object()
                .with("name", candidate.name())
                .with("options", candidate.options())
                .with("cpus", candidate.cpus())
                .with("shape", candidate.shape().map(TuneJson::shape));
    }

    private static Json.Fields shape(TuneShape shape) {
        return Json.object()
                .with("into", shape.into().word())
                .with("processes", shape.processes())
                .with("level", shape.level())
                .with("memory", shape.memory().word())
                .with("smt", shape.smt())
                .with("jvmFlags", shape.flags().words())
                .with("heapBytes", shape.heapBytes())
                .withEach(
                        "parts",
                        shape.host().parts(),
                        part -> Json.object()
                                .with("cpus", part.cpus())
                                .with("nodes", part.memoryNodes())
                                .with("heapBytes", part.heapBytes()));
    }

    /** The candidates and the runs of a race that has not begun. */
    static String plan(TuneCandidates candidates, RaceBudget limit) {
        Optional<RacePlan> plan = TunePlan.runs(candidates, limit);
        return Json.of(Json.object()
                .with("format", "berth-tune-plan")
                .with("version", 1)
                .withEach("candidates", candidates.list(), TuneJson::candidate)
                .with("dropped", candidates.dropped())
                .with("warmUpRuns", candidates.list().size())
                .with("mostRuns", plan.map(one -> candidates.list().size() + one.runs())));
    }

    /** The verdict on fresh runs, none of which took part in the choice. */
    private static Json.Fields confirmation(String winner, String kind, Verdict verdict) {
        return Json.object()
                .with("winner", winner)
                .with("kind", kind)
                .with("pairs", verdict.pairs())
                .with("ratio", verdict.estimate())
                .with("low", verdict.interval().map(Ratio.Interval::low))
                .with("high", verdict.interval().map(Ratio.Interval::high))
                .with("detectable", verdict.detectable());
    }
}
