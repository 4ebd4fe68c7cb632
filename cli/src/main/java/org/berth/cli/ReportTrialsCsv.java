package org.berth.cli;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.berth.experiments.Trial;

/** All runs as a table (RFC 4180) for a spreadsheet or a statistics program. A pure function. */
final class ReportTrialsCsv {
    private ReportTrialsCsv() {}

    /** A heading, then a line a run in the order of time; what is unknown is empty. */
    static String render(List<Trial> trials) {
        StringBuilder csv = new StringBuilder(
                "number,round,arm,warmUp,outcome,exitCode,wallSeconds,metric,othersShare,samples,mostThreads,"
                        + "movesBetweenCpus,movesSource,movesBetweenNodesSeen,workerMovesBetweenCpus,inPlaceSamples,"
                        + "countedSamples,log,notes\r\n");
        for (Trial trial : trials) {
            List<String> cells = List.of(
                    Integer.toString(trial.turn().number()),
                    Integer.toString(trial.turn().round()),
                    trial.arm(),
                    Boolean.toString(trial.turn().warmUp()),
                    trial.outcome().name(),
                    trial.exitCode().isPresent()
                            ? Integer.toString(trial.exitCode().getAsInt())
                            : "",
                    number(OptionalDouble.of(trial.wallSeconds())),
                    number(trial.metric()),
                    number(OptionalDouble.of(trial.othersShare())),
                    Integer.toString(trial.observed().samples()),
                    Integer.toString(trial.observed().mostThreads()),
                    Long.toString(trial.observed().migrations().betweenCpus()),
                    trial.observed().migrations().source().name(),
                    Long.toString(trial.observed().migrations().seenBetweenNodes()),
                    Long.toString(trial.observed().workerMigrations().betweenCpus()),
                    Long.toString(trial.observed().residency().atHome()),
                    Long.toString(trial.observed().residency().counted()),
                    String.valueOf(trial.log().getFileName()),
                    String.join("; ", trial.notes()));
            csv.append(String.join(
                            ",", cells.stream().map(ReportTrialsCsv::cell).toList()))
                    .append("\r\n");
        }
        return csv.toString();
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble())
                ? String.format(Locale.ROOT, "%.6f", value.getAsDouble())
                : "";
    }

    /** A spreadsheet takes a text that begins with one of =+-@ as a formula; an apostrophe before it makes it text. */
    static String cell(String value) {
        boolean number = value.matches("-?[0-9.]+");
        String safe = !number && !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        boolean quoted = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return quoted ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }
}
