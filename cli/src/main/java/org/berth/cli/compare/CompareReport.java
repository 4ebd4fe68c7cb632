package org.berth.cli.compare;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.text.Labels;
import org.berth.experiments.ArmMetric;
import org.berth.experiments.ArmMoves;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.ExperimentResult;
import org.berth.experiments.RunTimeline;
import org.berth.experiments.Summary;
import org.berth.experiments.Trial;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Ratio;
import org.berth.report.CompareMoves;
import org.berth.report.CompareTable;
import org.berth.report.CompareUsage;
import org.berth.report.CompareVerdict;
import org.berth.report.ReportData;
import org.berth.report.ReportFact;
import org.berth.report.SpreadJson;
import org.berth.topology.Topology;

/** The end of a comparison: table, verdict, what makes the numbers doubtful, and where the raw ones are. */
public record CompareReport(Terminal terminal, CompareArms arms, ExperimentResult result) {
    private static final int FAILURE = 1;

    /** Of the table, where nobody knows the width: a file is read on more than 80 columns. */
    private static final int FEWEST_COLUMNS = 120;

    /** Of all CPU time; the daemons of an idle machine stay below. */
    private static final double DISTURBED = 0.05;

    /** Gives the exit code: 1 when a run failed or results of runs differ. */
    int print(Optional<Path> json) throws IOException {
        Summary summary = result.summary();
        Set<String> results = results();
        PrintWriter out = terminal.out();
        out.println();
        CompareTable.render(summary, arms.same(), Math.max(terminal.columns(), FEWEST_COLUMNS))
                .forEach(out::println);
        out.println();
        CompareTable.LEGEND.forEach(out::println);
        arms.absent().forEach(line -> out.println("Not run: " + line + "."));
        List<String> moves = CompareMoves.render(summary);
        if (!moves.isEmpty()) {
            out.println();
            moves.forEach(out::println);
            out.println();
            out.println(CompareMoves.LEGEND);
        }
        List<String> usage = CompareUsage.render(summary);
        if (!usage.isEmpty()) {
            out.println();
            usage.forEach(out::println);
            out.println();
            out.println(CompareUsage.LEGEND);
            CompareUsage.missing(result).forEach(out::println);
        }
        out.println();
        CompareVerdict.sentences(summary).forEach(out::println);
        doubts(results).forEach(out::println);
        if (json.isPresent()) {
            OutputFile.write(terminal, json.get().toString(), "the summary", json(summary));
        }
        out.println("Raw results, logs and plans: " + result.directory());
        boolean bad = summary.arms().stream().anyMatch(arm -> arm.failed() + arm.timedOut() > 0);
        return bad || results.size() > 1 || result.stopped() ? FAILURE : 0;
    }

    /** The report with pictures, into the folder of the results. */
    void files(Topology topology, List<RunTimeline> timelines, Optional<Path> more) throws IOException {
        List<ReportFact> environment = new ArrayList<>(new ReportEnvironment(Path.of("/")).facts(topology));
        ReportJvm.of(result.experiment().arms().get(0).command().get(0)).ifPresent(environment::add);
        ReportData data = ReportFiles.data(
                topology,
                arms,
                result,
                timelines,
                doubts(results()),
                environment,
                ZonedDateTime.now(ZoneId.systemDefault()));
        ReportFiles.write(terminal, data, result, more);
    }

    private List<String> doubts(Set<String> results) {
        List<String> doubts = new ArrayList<>();
        if (result.stopped()) {
            doubts.add("Stopped before the end: the table holds the runs that were complete. The same command line with"
                    + " --resume " + result.directory() + " instead of --results makes the others.");
        }
        if (results.size() > 1) {
            doubts.add("The runs did NOT compute the same: " + String.join(" | ", results) + ".");
        } else if (results.size() == 1) {
            doubts.add(
                    "All runs computed the same result (" + results.iterator().next() + ").");
        }
        double[] others = result.trials().stream()
                .filter(Trial::counts)
                .mapToDouble(Trial::othersShare)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        if (others.length > 0 && others[others.length - 1] > DISTURBED) {
            doubts.add(String.format(
                    Locale.ROOT,
                    "Other work took up to %.0f %% of the CPU time of all CPUs during a run (median %.0f %%): it disturbs"
                            + " these numbers.",
                    100 * others[others.length - 1],
                    100 * others[others.length / 2]));
        }
        return doubts;
    }

    /** What the completed runs printed as their result; one text when all computed the same. */
    private Set<String> results() throws IOException {
        Set<String> results = new TreeSet<>();
        for (Trial trial : result.trials()) {
            if (trial.outcome() == Trial.Outcome.COMPLETED) {
                // Not Files.lines, which fails on a thread that was interrupted: the table is wanted most then.
                try (BufferedReader reader = Files.newBufferedReader(trial.log())) {
                    reader.lines()
                            .map(Job.RESULT::matcher)
                            .filter(Matcher::find)
                            .forEach(line -> results.add(line.group(1)));
                } catch (UncheckedIOException e) {
                    if (!(e.getCause() instanceof MalformedInputException)) {
                        throw e;
                    }
                }
            }
        }
        return results;
    }

    private String json(Summary summary) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("work", result.experiment().name());
            json.writeNumberField("rounds", result.experiment().rounds());
            json.writeNumberField("threads", arms.threads());
            json.writeStringField("results", result.directory().toString());
            json.writeObjectFieldStart("same");
            for (var one : arms.same().entrySet()) {
                json.writeStringField(Labels.lower(one.getKey()), one.getValue());
            }
            json.writeEndObject();
            json.writeArrayFieldStart("notRun");
            for (String line : arms.absent()) {
                json.writeString(line);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("levels");
            List<Verdict> verdicts = summary.verdicts(Verdict.MARGIN);
            for (int i = 0; i < summary.arms().size(); i++) {
                arm(json, summary.arms().get(i), i == 0 ? Optional.empty() : Optional.of(verdicts.get(i - 1)));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text + "\n";
    }

    private static void arm(JsonGenerator json, ArmSummary arm, Optional<Verdict> verdict) throws IOException {
        json.writeStartObject();
        json.writeStringField("level", arm.arm());
        json.writeNumberField("completed", arm.completed());
        json.writeNumberField("failed", arm.failed());
        json.writeNumberField("timedOut", arm.timedOut());
        SpreadJson.write(json, "wallSeconds", arm.wallSeconds());
        ratio(json, "wallRatio", arm.wallRatio());
        json.writeArrayFieldStart("metrics");
        for (ArmMetric metric : arm.metrics()) {
            metric(json, metric, verdict.isPresent());
        }
        json.writeEndArray();
        if (verdict.isPresent()) {
            verdict(json, verdict.get());
        }
        moves(json, "migrations", arm.moves());
        moves(json, "workerMigrations", arm.workerMoves());
        if (arm.residency().share().isPresent()) {
            json.writeNumberField("inPlace", arm.residency().share().getAsDouble());
        }
        CompareUsage.write(json, arm.usage());
        json.writeEndObject();
    }

    /** Those between CPUs are the kernel's count or seen in samples, as "source" says; the others are seen. */
    private static void moves(JsonGenerator json, String name, ArmMoves moves) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField("source", Labels.lower(moves.source()));
        SpreadJson.write(json, "betweenCpus", moves.betweenCpus());
        SpreadJson.write(json, "betweenCoresSeen", moves.betweenCores());
        SpreadJson.write(json, "betweenCachesSeen", moves.betweenCaches());
        SpreadJson.write(json, "betweenPackagesSeen", moves.betweenPackages());
        SpreadJson.write(json, "betweenNodesSeen", moves.betweenNodes());
        json.writeEndObject();
    }

    private static void metric(JsonGenerator json, ArmMetric metric, boolean judged) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", metric.metric().name());
        json.writeStringField("unit", metric.metric().unit());
        json.writeStringField("better", Labels.lower(metric.metric().better()));
        SpreadJson.write(json, "values", metric.values());
        ratio(json, "ratio", metric.ratio());
        if (judged) {
            verdict(json, metric.verdict(Verdict.MARGIN));
        }
        json.writeEndObject();
    }

    /** Faster and slower mean better and worse. An arm's own is about its first metric, else about the wall time. */
    private static void verdict(JsonGenerator json, Verdict verdict) throws IOException {
        json.writeObjectFieldStart("verdict");
        json.writeStringField("kind", Labels.lower(verdict.kind()));
        if (verdict.detectable().isPresent()) {
            json.writeNumberField("detectable", verdict.detectable().getAsDouble());
        }
        json.writeNumberField("pairs", verdict.pairs());
        json.writeEndObject();
    }

    private static void ratio(JsonGenerator json, String name, Optional<Ratio> ratio) throws IOException {
        if (ratio.isPresent()) {
            json.writeObjectFieldStart(name);
            json.writeNumberField("estimate", ratio.get().estimate());
            if (ratio.get().interval().isPresent()) {
                json.writeNumberField("low", ratio.get().interval().get().low());
                json.writeNumberField("high", ratio.get().interval().get().high());
            }
            json.writeNumberField("pairs", ratio.get().pairs());
            json.writeEndObject();
        }
    }
}
