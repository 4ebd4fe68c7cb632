package org.berth.cli.compare;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.output.ReportFiles;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare}, {@code bench} and {@code study} that say where results go. */
public final class ResultOptions {
    public static final String SUMMARY = "the summary";

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Write the report, one page of HTML, to this file too; report.html among the results is the same.")
    private Optional<Path> report = Optional.empty();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder for raw results; default: berth-compare-<time>, for a study berth-study-<time>.")
    private Optional<Path> results = Optional.empty();

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "Continue an interrupted comparison: the same command line with this option instead of --results."
                            + " It is refused when anything else has changed.")
    private Optional<Path> resume = Optional.empty();

    public JsonOption json() {
        return json;
    }

    /** The file for one more copy of the report. */
    public Optional<Path> report() {
        return report;
    }

    /** Usage errors, before anything runs. */
    void check() {
        CompareFolder.check(resume);
    }

    /** Usage error: results keep the order in which they began. */
    public void checkOrder(ConditionOptions conditions) {
        if (resume.isPresent() && conditions.hasSeed()) {
            throw CommandException.usage("--seed and --resume exclude each other: the results keep their order");
        }
    }

    /** Files that cannot be written are found before the first run, not after the last one. */
    public void checkFiles() {
        json.check(SUMMARY);
        report.ifPresent(file -> OutputFile.check(file.toString(), ReportFiles.WHAT));
    }

    /** The folder that the user names for results. */
    public Optional<Path> results() {
        return results;
    }

    /** The folder of the interrupted comparison that goes on. */
    public Optional<Path> resume() {
        return resume;
    }

    CompareFolder folder(PrintWriter err) {
        return CompareFolder.open(results, resume, "berth-compare-", CompareFolder.TRIALS, err);
    }
}
