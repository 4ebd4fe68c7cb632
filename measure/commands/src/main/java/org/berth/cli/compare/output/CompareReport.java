package org.berth.cli.compare.output;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.shared.Terminal;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.trial.RunTimeline;
import org.berth.jobkit.JobList;
import org.berth.placement.OrderedLevel;
import org.berth.report.FigureSvg;
import org.berth.report.ReportAssembly;
import org.berth.report.ReportData;
import org.berth.report.ReportFact;
import org.berth.report.comparison.Answer;
import org.berth.report.comparison.Comparison;
import org.berth.report.comparison.ComparisonJson;
import org.berth.report.comparison.ComparisonText;
import org.berth.topology.Topology;

/** Prints the result of a comparison: tables, verdicts, doubts about the numbers, and the folder of the raw results. */
public record CompareReport(Terminal terminal, CompareArms arms, ExperimentResult result, boolean explain) {
    /** The line with the result of a computation, which any work may print. */
    public static final Pattern RESULT = Pattern.compile("^" + JobList.RESULT + "(.+)$");

    private static final int FAILURE = 1;

    /** Minimum width of a table in a pipe or file, which is read on more than 80 columns. */
    private static final int MIN_COLUMNS = 120;

    /** Returns the exit code: 1 when a run failed or results of runs differ. */
    public int print() throws IOException {
        Set<String> results = results();
        List<String> doubts = ComparisonText.doubts(result, results);
        boolean endless = terminal.lineColumns() == Integer.MAX_VALUE;
        int columns = endless ? Math.max(terminal.columns(), MIN_COLUMNS) : terminal.columns();
        int width = ParagraphWidth.of(terminal);
        (explain
                        ? ComparisonText.render(comparison(), doubts, columns, width)
                        : ComparisonText.renderBrief(comparison(), doubts, terminal.columns(), width))
                .forEach(terminal.out()::println);
        terminal.out().println("Raw results, logs and plans: " + result.directory());
        return isBad(results) || result.stopped() ? FAILURE : 0;
    }

    /** Prints what a reader takes home, which stands last, alone. */
    public void printAnswer() {
        List<String> answer = Answer.lines(comparison());
        if (!answer.isEmpty()) {
            terminal.out().println();
            ParagraphWidth.ofAnswer(answer, terminal).forEach(terminal.out()::println);
        }
    }

    /** A sentence about numbers that no completed run printed, without which an answer would be one about something else. */
    public Optional<String> unprinted() {
        List<String> names = comparison().unprinted();
        return names.isEmpty()
                ? Optional.empty()
                : result.trials().stream()
                        .filter(trial -> trial.outcome() == Trial.Outcome.COMPLETED)
                        .reduce((first, last) -> last)
                        .map(trial -> "NOT DECIDED: no run printed " + String.join(", ", names)
                                + "; compare --metric with the output of a run, such as " + trial.log());
    }

    /** Whether a run failed or results of runs differ; runs that are missing are not bad. */
    public boolean isBad() throws IOException {
        return isBad(results());
    }

    private boolean isBad(Set<String> results) {
        return results.size() > 1
                || result.summary().arms().stream().anyMatch(arm -> arm.failed() + arm.timedOut() > 0);
    }

    public String json() {
        return ComparisonJson.render(comparison());
    }

    /** The report with pictures, into the folder of the results. */
    public void files(Topology topology, List<RunTimeline> timelines, Optional<Path> more, Optional<FigureSvg> figure)
            throws IOException {
        List<ReportFact> environment = new ArrayList<>(new ReportEnvironment(Path.of("/")).facts(topology));
        ReportJvm.of(result.experiment().arms().get(0).command().get(0)).ifPresent(environment::add);
        ReportData data = ReportAssembly.of(
                        comparison(),
                        topology,
                        timelines,
                        ComparisonText.doubts(result, results()),
                        environment,
                        ZonedDateTime.now(ZoneId.systemDefault()))
                .withFigure(figure);
        ReportFiles.write(terminal, data, result, more);
    }

    public Comparison comparison() {
        return new Comparison(
                result, byName(arms.plans()), byName(arms.same()), arms.threads(), arms.notRun(), arms.lines());
    }

    private static <T> Map<String, T> byName(Map<OrderedLevel, T> byLevel) {
        Map<String, T> byName = new LinkedHashMap<>();
        byLevel.forEach((level, value) -> byName.put(level.word(), value));
        return byName;
    }

    /** The results that completed runs printed; one text when all computed the same. */
    private Set<String> results() throws IOException {
        Set<String> results = new TreeSet<>();
        for (Trial trial : result.trials()) {
            if (trial.outcome() == Trial.Outcome.COMPLETED) {
                // Not Files.lines, which fails on a thread that was interrupted: the table is wanted most then.
                try (BufferedReader reader = Files.newBufferedReader(trial.log())) {
                    reader.lines()
                            .map(RESULT::matcher)
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
}
