package org.berth.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.report.comparison.ComparisonRow;
import org.berth.report.comparison.Quantity;
import org.berth.report.comparison.ReportTrialsCsv;
import org.berth.text.Words;

/** A comparison as one table for a page, a mail or a spreadsheet: a row for each arm. Pure functions. */
public final class ReportExport {
    private ReportExport() {}

    /** The table in GitHub's Markdown. The number has a column of its own where there are several. */
    public static String markdown(List<ComparisonRow> rows) {
        boolean several = quantities(rows) > 1;
        Quantity first = rows.get(0).quantity();
        List<List<String>> table = new ArrayList<>();
        table.add(cells(
                several ? Optional.of("Number") : Optional.empty(),
                "Arm",
                "Runs",
                several ? "Median" : Words.capital(first.name()) + ", median",
                "Ratio to " + rows.get(0).arm() + " (95 % interval)",
                "Verdict"));
        for (ComparisonRow row : rows) {
            table.add(cells(
                    several ? Optional.of(row.quantity().name()) : Optional.empty(),
                    row.arm(),
                    row.runs() + (row.failed() == 0 ? "" : ", and " + row.failed() + " not completed"),
                    row.quantity().median(row.values()),
                    ReportTables.ratio(row.ratio()),
                    row.verdict()));
        }
        return ReportMarkdown.tableOf(table);
    }

    private static long quantities(List<ComparisonRow> rows) {
        return rows.stream().map(ComparisonRow::quantity).distinct().count();
    }

    private static List<String> cells(Optional<String> first, String... others) {
        return Stream.concat(first.stream(), Stream.of(others)).toList();
    }

    /** The table as RFC 4180 has it; what is unknown is empty. */
    public static String csv(List<ComparisonRow> rows) {
        StringBuilder csv = new StringBuilder(
                "number,unit,arm,runs,failed,median,smallest,largest,ratio,ratioLow,ratioHigh,verdict\r\n");
        for (ComparisonRow row : rows) {
            Optional<Ratio.Interval> interval = row.ratio().flatMap(Ratio::interval);
            csv.append(Stream.of(
                                    row.quantity().name(),
                                    row.quantity().unit(),
                                    row.arm(),
                                    Integer.toString(row.runs()),
                                    Integer.toString(row.failed()),
                                    number(row.values().map(Spread::median)),
                                    number(row.values().map(Spread::min)),
                                    number(row.values().map(Spread::max)),
                                    number(row.ratio().map(Ratio::estimate)),
                                    number(interval.map(Ratio.Interval::low)),
                                    number(interval.map(Ratio.Interval::high)),
                                    row.verdict())
                            .map(ReportTrialsCsv::cell)
                            .collect(Collectors.joining(",")))
                    .append("\r\n");
        }
        return csv.toString();
    }

    private static String number(Optional<Double> value) {
        return value.map(one -> String.format(Locale.ROOT, "%.6f", one)).orElse("");
    }
}
