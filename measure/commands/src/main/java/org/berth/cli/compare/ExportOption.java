package org.berth.cli.compare;

import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Terminal;
import org.berth.experiments.result.Summary;
import org.berth.report.ReportExport;
import org.berth.report.comparison.ComparisonRow;
import picocli.CommandLine.Option;

/** The option for a table of the result in another program's form. */
final class ExportOption {
    private static final String WHAT = "the table";
    private static final String CSV = ".csv";
    private static final String MARKDOWN = ".md";

    @Option(
            names = "--export",
            paramLabel = "FILE",
            description =
                    "Write a table of the arms with their verdicts too: Markdown to FILE.md, CSV to FILE.csv; with -, print"
                            + " Markdown alone on standard output.")
    private Optional<String> file = Optional.empty();

    /** Usage errors, and files that cannot be written, before anything runs. */
    void check(JsonOption json) {
        if (takesOutput() && json.takesOutput()) {
            throw CommandException.usage(
                    "--export - and --json write both to standard output; give a file to one of them");
        }
        file.filter(name -> !takesOutput() && !name.endsWith(CSV) && !name.endsWith(MARKDOWN))
                .ifPresent(name -> {
                    throw CommandException.usage("--export " + name
                            + ": the ending chooses the form; give a file that ends with " + MARKDOWN + " or " + CSV
                            + ", or - for Markdown on standard output");
                });
        file.ifPresent(name -> OutputFile.check(name, WHAT));
    }

    boolean takesOutput() {
        return file.equals(Optional.of(OutputFile.STANDARD_OUTPUT));
    }

    void write(Terminal terminal, Summary summary) {
        List<ComparisonRow> rows = ComparisonRow.of(summary);
        file.ifPresent(name -> OutputFile.write(
                terminal, name, WHAT, name.endsWith(CSV) ? ReportExport.csv(rows) : ReportExport.markdown(rows)));
    }
}
