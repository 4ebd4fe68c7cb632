package org.berth.report.comparison;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.ArmMetric;
import org.berth.experiments.result.ArmMigrations;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ArmUsage;
import org.berth.experiments.result.BindVerdict;
import org.berth.experiments.result.KernelVerdict;
import org.berth.experiments.result.OtherWork;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Ratio;
import org.berth.text.Json;

/**
 * A comparison as JSON with stable field names; what is unknown is left out.
 *
 * <pre>
 * { "format": "berth-comparison", "version": 1, "work", "rounds", "seed", "margin", "threads", "results": FOLDER,
 *   "leaveToKernel": { "arm", "bestBound", "ratio": RATIO },
 *   "bind": { "binds": true | false, "bound", "unbound", "ratio": RATIO }, "same": { LEVEL: TEXT, … }, "notRun": [ TEXT, … ],
 *   "fewerCpus": [ TEXT, … ], "answer": [ TEXT, … ], "otherWork": { "max", "median" },
 *   "arms": [ { "arm": NAME, "completed", "failed", "timedOut", "wallSeconds": SPREAD, "wallRatio": RATIO,
 *     "metrics": [ { "name", "unit", "better": "lower" | "higher", "values": SPREAD, "ratio": RATIO,
 *       "difference": { "estimate", "low", "high", "pairs" }, "verdict" }, … ],
 *     "verdict": { "kind", "detectable", "pairs" }, "migrations": MIGRATIONS, "workerMigrations": MIGRATIONS, "inPlace",
 *     "userSeconds", … "gcPauseSeconds": SPREAD, "counters": { NAME: SPREAD, … } }, … ] }
 * SPREAD: { "median", "min", "max", "variation" }   RATIO: { "estimate", "low", "high", "pairs" }
 * MIGRATIONS: { "source": "kernel" | "samples", "betweenCpus": SPREAD, "betweenCoresSeen", … }
 * </pre>
 *
 * <p>The first arm is the baseline and has no verdict. leaveToKernel is there when no bound arm is better than one that leaves
 * placement to the kernel; its ratio is of the best bound arm to that one. Otherwise, where an unbound arm has a setting of the kernel of its own, bind
 * tells whether the best bound arm is better than every unbound one; its ratio is to the unbound one that comes closest. Pure.
 */
public final class ComparisonJson {
    private ComparisonJson() {}

    /** The whole comparison, a line end at its end. */
    public static String render(Comparison comparison) {
        return Json.of(fields(comparison));
    }

    public static Json.Fields fields(Comparison comparison) {
        Json.Fields same = Json.object();
        comparison.same().forEach((level, why) -> same.with(level, why));
        return Json.object()
                .with("format", "berth-comparison")
                .with("version", 1)
                .with("work", comparison.result().experiment().name())
                .with("rounds", comparison.result().experiment().rounds())
                .with("seed", comparison.result().experiment().seed())
                .with("margin", comparison.result().experiment().claims().margin())
                .with("threads", comparison.threads())
                .with("results", comparison.result().directory().toString())
                .with("leaveToKernel", comparison.result().summary().kernel().map(ComparisonJson::kernel))
                .with("bind", comparison.result().summary().bind().map(ComparisonJson::bind))
                .with("same", same)
                .with("notRun", comparison.absent())
                .with("fewerCpus", comparison.fewerCpus())
                .with("notPrinted", comparison.unprinted())
                .with("answer", Answer.lines(comparison))
                .with("otherWork", OtherWork.of(comparison.result().trials()))
                .with("arms", arms(comparison.result().summary()));
    }

    private static Json.Fields kernel(KernelVerdict verdict) {
        return Json.object()
                .with("arm", verdict.arm())
                .with("bestBound", verdict.bestBound())
                .with("ratio", ratio(verdict.ratio()));
    }

    private static Json.Fields bind(BindVerdict verdict) {
        return Json.object()
                .with("binds", verdict.binds())
                .with("bound", verdict.bound())
                .with("unbound", verdict.unbound())
                .with("ratio", ratio(verdict.ratio()));
    }

    private static List<Json.Fields> arms(Summary summary) {
        List<Verdict> verdicts = summary.verdicts();
        double margin = summary.claims().margin();
        return IntStream.range(0, summary.arms().size())
                .mapToObj(i -> arm(
                        summary.arms().get(i), Optional.of(i).filter(n -> n > 0).map(n -> verdicts.get(n - 1)), margin))
                .toList();
    }

    private static Json.Fields arm(ArmSummary arm, Optional<Verdict> verdict, double margin) {
        return Json.object()
                .with("arm", arm.arm())
                .with("completed", arm.completed())
                .with("failed", arm.failed())
                .with("timedOut", arm.timedOut())
                .with("wallSeconds", SpreadJson.of(arm.wallSeconds()))
                .with("wallRatio", arm.wallRatio().map(ComparisonJson::ratio))
                .withEach("metrics", arm.metrics(), metric -> metric(arm, metric, verdict.isPresent(), margin))
                .with("verdict", verdict.map(ComparisonJson::verdict))
                .with("migrations", migrations(arm.migrations()))
                .with("workerMigrations", migrations(arm.workerMigrations()))
                .with("inPlace", arm.residency().share())
                .with(usage(arm.usage()));
    }

    private static Json.Fields metric(ArmSummary arm, ArmMetric metric, boolean judged, double margin) {
        return Json.object()
                .with("name", metric.metric().name())
                .with("unit", metric.metric().unit())
                .with("better", metric.metric().better())
                .with("values", SpreadJson.of(metric.values()))
                .with("ratio", metric.ratio().map(ComparisonJson::ratio))
                .with("difference", metric.difference())
                .with(
                        "verdict",
                        Optional.of(metric).filter(one -> judged).map(one -> verdict(arm.verdict(one, margin))));
    }

    /** Faster and slower mean better and worse. An arm's own is about its first metric, else about the wall time. */
    private static Json.Fields verdict(Verdict verdict) {
        return Json.object()
                .with("kind", verdict.kind())
                .with("detectable", verdict.detectable())
                .with("pairs", verdict.pairs());
    }

    private static Json.Fields ratio(Ratio ratio) {
        return Json.object()
                .with("estimate", ratio.estimate())
                .with("low", ratio.interval().map(Ratio.Interval::low))
                .with("high", ratio.interval().map(Ratio.Interval::high))
                .with("pairs", ratio.pairs());
    }

    /** Those between CPUs are the kernel's count or seen in samples, as "source" says; the others are seen. */
    private static Json.Fields migrations(ArmMigrations migrations) {
        return Json.object()
                .with("source", migrations.source())
                .with("betweenCpus", SpreadJson.of(migrations.betweenCpus()))
                .with("betweenCoresSeen", SpreadJson.of(migrations.betweenCores()))
                .with("betweenCachesSeen", SpreadJson.of(migrations.betweenCaches()))
                .with("betweenPackagesSeen", SpreadJson.of(migrations.betweenPackages()))
                .with("betweenNodesSeen", SpreadJson.of(migrations.betweenNodes()));
    }

    private static Json.Fields usage(ArmUsage usage) {
        Json.Fields counters = Json.object();
        new TreeMap<>(usage.counters())
                .forEach((name, spread) -> counters.with(name, SpreadJson.of(Optional.of(spread))));
        return Json.object()
                .with("userSeconds", SpreadJson.of(usage.userSeconds()))
                .with("systemSeconds", SpreadJson.of(usage.systemSeconds()))
                .with("peakRssBytes", SpreadJson.of(usage.peakRssBytes()))
                .with("treePeakRssBytes", SpreadJson.of(usage.treePeakRssBytes()))
                .with("voluntarySwitches", SpreadJson.of(usage.voluntarySwitches()))
                .with("involuntarySwitches", SpreadJson.of(usage.involuntarySwitches()))
                .with("minorFaults", SpreadJson.of(usage.minorFaults()))
                .with("majorFaults", SpreadJson.of(usage.majorFaults()))
                .with("remoteShare", SpreadJson.of(usage.remoteShare()))
                .with("heapHugeShare", SpreadJson.of(usage.heapHugeShare()))
                .with("gcPauseSeconds", SpreadJson.of(usage.gcPauseSeconds()))
                .with("counters", counters);
    }
}
