package org.berth.cli.bench.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.cli.compare.arms.MetricOption;
import org.berth.cli.compare.output.SeriesFigure;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.WordList;
import org.berth.experiments.Metric;
import org.berth.experiments.result.ExperimentResult;
import org.berth.jobkit.JobEntry;
import org.berth.jobkit.JobList;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.placement.internal.NearestWord;
import org.berth.text.Json;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;

/**
 * A job of measure/jobs, measure/uploads, measure/calls or measure/examples, known without being built.
 *
 * @param program the main class, and words before all options
 * @param workerThreads patterns of the names of threads that do the work
 * @param numbers the metrics that it prints, in the form of {@code --metric}; empty for seconds only
 * @param scale default of {@code --scale}
 * @param scaleUnit meaning of scale 1
 * @param options defaults unless the user gives them; {@code INPUT}, {@code GRAPH}, {@code GENOME}, {@code TEXT} and {@code DATA} stand for
 *     paths
 * @param series the option whose values have metrics of their own
 */
public record Job(
        String name,
        List<String> program,
        JobEntry.Kind kind,
        List<String> workerThreads,
        List<String> numbers,
        String scale,
        String scaleUnit,
        List<String> jvmOptions,
        List<String> options,
        Optional<String> series,
        String description) {
    /** The time that all jobs print, without the start of the JVM or of Spark. */
    public static final Metric SECONDS = new Metric("job", "s", Pattern.compile("^" + JobList.SECONDS + "([0-9.]+)"));

    /** Stands in names of metrics for each value of the option of {@link #series}. */
    private static final String EACH = "@";

    private static final int NAME_WIDTH = 16;
    private static final String COLUMNS = "%-15s %-44s %s";

    /** All jobs in the order of the lists. */
    public static List<Job> all() {
        return JobList.all().stream().map(Job::of).toList();
    }

    /** The patterns of the names of its working threads. */
    public List<ThreadNamePattern> workers() {
        return workerThreads.stream().map(ThreadNamePattern::of).toList();
    }

    /** The job of that name; otherwise a usage error with all names. */
    public static Job named(String name) {
        List<Job> all = all();
        return all.stream()
                .filter(job -> job.name.equals(name))
                .findFirst()
                .orElseThrow(() -> CommandException.usage("bench " + name + ": unknown job; there is "
                        + String.join(", ", all.stream().map(Job::name).toList()) + " ('berth bench' describes them)"
                        + NearestWord.hint(name, all.stream().map(Job::name).toList())));
    }

    /**
     * All jobs with what they do and their amount of work.
     *
     * @param width that is there; where the columns do not fit, a job is a paragraph
     */
    public static List<String> table(int width) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, COLUMNS, "JOB", "WHAT IT DOES", "DEFAULT OF --scale"));
        for (Job job : all()) {
            lines.add(String.format(Locale.ROOT, COLUMNS, job.name, job.description, job.amount()));
        }
        return lines.stream().allMatch(line -> line.length() <= width) ? lines : paragraphs(width);
    }

    private static List<String> paragraphs(int width) {
        StringBuilder text = new StringBuilder();
        for (Job job : all()) {
            WordWrap.append(
                    text, TextTable.pad(job.name, NAME_WIDTH), job.description + "; --scale " + job.amount(), width);
        }
        return text.toString().lines().toList();
    }

    private String amount() {
        return scale + " (" + scaleUnit + ")";
    }

    /** The jobs as JSON: { "format": "berth-jobs", "version": 1, "jobs": [ { "name", "description", "scale", "unit" }, … ] }. */
    public static String json() {
        return Json.of(Json.object()
                .with("format", "berth-jobs")
                .with("version", 1)
                .withEach(
                        "jobs",
                        all(),
                        job -> Json.object()
                                .with("name", job.name)
                                .with("description", job.description)
                                .with("scale", job.scale)
                                .with("unit", job.scaleUnit)));
    }

    /** Whether it reads a file that {@code --input} can name. */
    public boolean readsInput() {
        return options.stream().anyMatch(DataSet::isNamed);
    }

    /** Whether its arms are policies of DataNodes instead of levels. */
    public boolean hasPolicies() {
        return kind == JobEntry.Kind.HDFS;
    }

    /** Whether its arms are engines for MapReduce instead of levels. */
    public boolean hasEngines() {
        return kind == JobEntry.Kind.MAPREDUCE;
    }

    /** Whether Spark runs it, and its plugin places the tasks. */
    public boolean isOnSpark() {
        return kind == JobEntry.Kind.SPARK || kind == JobEntry.Kind.PLUGIN;
    }

    /** Whether its arms are settings of Spark's plugin unless levels are given. */
    public boolean comparesSettings() {
        return kind == JobEntry.Kind.PLUGIN;
    }

    /** Whether its arms are ways of messages instead of levels. */
    public boolean hasWays() {
        return kind == JobEntry.Kind.CALLS || kind == JobEntry.Kind.SHUFFLE;
    }

    /** Whether it starts executors of Spark, which look for its libraries. */
    public boolean needsSparkHome() {
        return kind == JobEntry.Kind.SHUFFLE;
    }

    /**
     * The metrics to compare.
     *
     * @param given options of the run
     */
    public List<Metric> metrics(List<String> given) {
        if (numbers.isEmpty()) {
            return List.of(SECONDS);
        }
        return numbers.stream()
                .flatMap(number -> series.map(
                                option -> values(option, given).stream().map(one -> number.replace(EACH, one)))
                        .orElse(Stream.of(number)))
                .map(MetricOption::parse)
                .toList();
    }

    /** The figure of a job whose numbers are those of several values of an option. */
    public Optional<SeriesFigure> figure(ExperimentResult result) {
        return series.map(option -> new SeriesFigure(result, name, description, option.substring(2)));
    }

    /** The values of an option that is a list. */
    static List<String> values(String option, List<String> given) {
        int at = given.lastIndexOf(option);
        return at < 0 || at + 1 >= given.size()
                ? List.of()
                : WordList.parse(option, given.get(at + 1), Function.identity());
    }

    private static Job of(JobEntry entry) {
        return new Job(
                entry.name(),
                entry.program(),
                entry.kind(),
                entry.workerThreads(),
                entry.numbers(),
                entry.scale(),
                entry.scaleUnit(),
                entry.jvmOptions(),
                entry.options(),
                entry.series(),
                entry.description());
    }
}
