package org.berth.report.comparison;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.experiments.KernelAccounting;
import org.berth.experiments.Metric;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ExperimentResult;
import org.berth.observation.threads.MigrationCount;

/** All runs as a table (RFC 4180) for a spreadsheet or a statistics program. A pure function. */
public final class ReportTrialsCsv {
    private ReportTrialsCsv() {}

    /** A heading, then a line a run in the order of time; what is unknown is empty. */
    public static String render(ExperimentResult result) {
        Map<String, Function<Trial, String>> columns = columns(result);
        StringBuilder csv = new StringBuilder();
        line(csv, columns.keySet().stream());
        result.trials().forEach(trial -> line(csv, columns.values().stream().map(column -> column.apply(trial))));
        return csv.toString();
    }

    private static void line(StringBuilder csv, Stream<String> cells) {
        csv.append(cells.map(ReportTrialsCsv::cell).collect(Collectors.joining(",")))
                .append("\r\n");
    }

    private static Map<String, Function<Trial, String>> columns(ExperimentResult result) {
        Map<String, Function<Trial, String>> columns = new LinkedHashMap<>();
        columns.put("number", trial -> Integer.toString(trial.run().number()));
        columns.put("round", trial -> Integer.toString(trial.run().round()));
        columns.put("arm", Trial::arm);
        columns.put("warmUp", trial -> Boolean.toString(trial.run().warmUp()));
        columns.put("outcome", trial -> trial.outcome().name());
        columns.put(
                "exitCode",
                trial -> trial.exitCode().isPresent()
                        ? Integer.toString(trial.exitCode().getAsInt())
                        : "");
        columns.put("wallSeconds", trial -> number(OptionalDouble.of(trial.wallSeconds())));
        for (Metric metric : result.experiment().metrics()) {
            String unit = metric.unit().isEmpty() ? "" : " (" + metric.unit() + ")";
            columns.put("metric " + metric.name() + unit, trial -> number(trial.metric(metric.name())));
        }
        columns.put("othersShare", trial -> number(OptionalDouble.of(trial.othersShare())));
        columns.put("samples", trial -> Integer.toString(trial.sampling().samples()));
        columns.put("mostThreads", trial -> Integer.toString(trial.sampling().mostThreads()));
        migrations(columns, "migrations", SamplingSummary::migrations);
        migrations(columns, "workerMigrations", SamplingSummary::workerMigrations);
        columns.put(
                "inPlaceSamples", trial -> count(trial.sampling().residency().inside()));
        columns.put(
                "countedSamples", trial -> count(trial.sampling().residency().counted()));
        usage(columns, result);
        columns.put("log", trial -> String.valueOf(trial.log().getFileName()));
        columns.put("notes", trial -> String.join("; ", trial.notes()));
        return columns;
    }

    private static void migrations(
            Map<String, Function<Trial, String>> columns,
            String name,
            Function<SamplingSummary, MigrationCount> whose) {
        Function<Trial, MigrationCount> moves = trial -> whose.apply(trial.sampling());
        columns.put(name + "BetweenCpus", trial -> count(moves.apply(trial).betweenCpus()));
        columns.put(name + "Source", trial -> moves.apply(trial).source().name());
        columns.put(name + "BetweenCoresSeen", trial -> count(moves.apply(trial).seenBetweenCores()));
        columns.put(
                name + "BetweenCachesSeen", trial -> count(moves.apply(trial).seenBetweenCaches()));
        columns.put(
                name + "BetweenPackagesSeen", trial -> count(moves.apply(trial).seenBetweenPackages()));
        columns.put(name + "BetweenNodesSeen", trial -> count(moves.apply(trial).seenBetweenNodes()));
    }

    /** Counters of perf-list(1) by their names, those that at least one run has. */
    private static void usage(Map<String, Function<Trial, String>> columns, ExperimentResult result) {
        ofUsage(columns, "userSeconds", usage -> number(OptionalDouble.of(usage.userSeconds())));
        ofUsage(columns, "systemSeconds", usage -> number(OptionalDouble.of(usage.systemSeconds())));
        columns.put(
                "treePeakRssBytes",
                trial -> trial.resources().treePeakRssBytes().isPresent()
                        ? count(trial.resources().treePeakRssBytes().getAsLong())
                        : "");
        ofUsage(columns, "peakRssBytes", usage -> count(usage.peakRssBytes()));
        ofUsage(columns, "voluntarySwitches", usage -> count(usage.voluntarySwitches()));
        ofUsage(columns, "involuntarySwitches", usage -> count(usage.involuntarySwitches()));
        ofUsage(columns, "minorFaults", usage -> count(usage.minorFaults()));
        ofUsage(columns, "majorFaults", usage -> count(usage.majorFaults()));
        columns.put("remoteShare", trial -> number(trial.resources().remoteShare()));
        columns.put("heapHugeShare", trial -> number(trial.resources().heapHugeShare()));
        columns.put("gcPauseSeconds", trial -> number(trial.resources().gcPauseSeconds()));
        result.trials().stream()
                .flatMap(trial -> trial.resources().accounting().stream())
                .flatMap(usage -> usage.counters().keySet().stream())
                .distinct()
                .sorted()
                .forEach(counter -> ofUsage(
                        columns,
                        counter,
                        usage -> usage.counters().containsKey(counter)
                                ? count(usage.counters().getOrDefault(counter, 0L))
                                : ""));
    }

    private static void ofUsage(
            Map<String, Function<Trial, String>> columns, String name, Function<KernelAccounting, String> number) {
        columns.put(name, trial -> trial.resources().accounting().map(number).orElse(""));
    }

    private static String count(long number) {
        return Long.toString(number);
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble())
                ? String.format(Locale.ROOT, "%.6f", value.getAsDouble())
                : "";
    }

    /** A spreadsheet takes a text that begins with one of =+-@ as a formula; an apostrophe before it makes it text. */
    public static String cell(String value) {
        boolean number = value.matches("-?[0-9.]+");
        String safe = !number && !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        boolean quoted = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return quoted ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }
}
