package org.berth.cli.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.output.ReportFiles;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Terminal;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare} that say where results go. */
final class ResultOptions {
    static final String SUMMARY = "the summary";

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Write the report, one page of HTML, to this file too; report.html among the results is the same.")
    private Optional<Path> report = Optional.empty();

    @Mixin
    private ExportOption export = new ExportOption();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder for raw results; default: berth-compare-<time>.")
    private Optional<Path> results = Optional.empty();

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "Continue an interrupted comparison: the same command line with this option instead of --results."
                            + " It is refused when anything else has changed.")
    private Optional<Path> resume = Optional.empty();

    JsonOption json() {
        return json;
    }

    ExportOption export() {
        return export;
    }

    /** The terminal for text next to what takes standard output. */
    Terminal text(Terminal terminal) {
        return export.takesOutput() ? terminal.toStandardError() : json.text(terminal);
    }

    Optional<Path> report() {
        return report;
    }

    /** Usage errors, before anything runs. */
    void check() {
        CompareFolder.check(resume);
        if (export.takesOutput() && json.takesOutput()) {
            throw CommandException.usage(
                    "--export - and --json write both to standard output; give a file to one of them");
        }
    }

    /** Usage error: results keep the order in which they began. */
    void checkOrder(ConditionOptions conditions) {
        if (resume.isPresent() && conditions.hasSeed()) {
            throw CommandException.usage("--seed and --resume exclude each other: the results keep their order");
        }
    }

    /** Files that cannot be written are found before the first run, not after the last one. */
    void checkFiles() {
        json.check(SUMMARY);
        export.check();
        report.ifPresent(file -> OutputFile.check(file.toString(), ReportFiles.WHAT));
    }

    /** The folder of a study; a usage error when an option names the wrong one. */
    Path studyFolder() {
        if (resume.isPresent() && !Files.isDirectory(resume.get().resolve(StudyRun.PILOT))) {
            throw CommandException.usage("--resume " + resume.get() + ": there is no study in it");
        }
        if (results.isPresent() && Files.exists(results.get().resolve(StudyRun.PILOT))) {
            throw CommandException.usage("--results " + results.get()
                    + ": it already holds a study; give a new folder, or --resume to continue");
        }
        return resume.or(() -> results).orElseGet(() -> CompareFolder.fresh("berth-study-"));
    }

    CompareFolder folder() {
        return CompareFolder.open(results, resume);
    }
}
