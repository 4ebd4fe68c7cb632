package org.berth.cli.compare.output;

import java.nio.file.Path;
import java.util.Optional;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Terminal;
import org.berth.experiments.result.ExperimentResult;
import org.berth.report.ReportData;
import org.berth.report.ReportHtml;
import org.berth.report.ReportMarkdown;
import org.berth.report.comparison.ReportTrialsCsv;

/** Writes the files of an experiment's report. */
public final class ReportFiles {
    public static final String HTML = "report.html";
    static final String MARKDOWN = "report.md";
    static final String CSV = "trials.csv";
    public static final String WHAT = "the report";

    private ReportFiles() {}

    /** Into the folder of the results, and the page into one more file when one is given. */
    static void write(Terminal terminal, ReportData data, ExperimentResult result, Optional<Path> more) {
        Path folder = result.directory();
        String html = ReportHtml.render(data);
        OutputFile.write(terminal, folder.resolve(HTML).toString(), WHAT, html);
        OutputFile.write(terminal, folder.resolve(MARKDOWN).toString(), WHAT, ReportMarkdown.render(data));
        OutputFile.write(terminal, folder.resolve(CSV).toString(), "the table of runs", ReportTrialsCsv.render(result));
        more.ifPresent(file -> OutputFile.write(terminal, file.toString(), WHAT, html));
        terminal.out().println("Report: " + more.orElse(folder.resolve(HTML)));
    }
}
