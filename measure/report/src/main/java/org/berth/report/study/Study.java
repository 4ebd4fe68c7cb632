package org.berth.report.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.OtherWork;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Spread;
import org.berth.report.FigureSvg;
import org.berth.report.PauseFigureSvg;
import org.berth.report.RacePage;
import org.berth.report.ReportFact;
import org.berth.report.ReportTables;
import org.berth.report.comparison.Answer;
import org.berth.report.comparison.Comparison;
import org.berth.report.comparison.ComparisonJson;
import org.berth.report.comparison.ComparisonText;
import org.berth.report.comparison.Quantity;
import org.berth.report.comparison.ReportTrialsCsv;
import org.berth.report.comparison.VerdictText;
import org.berth.text.Json;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.text.Words;

/**
 * The same comparison of arms for several workloads and settings. Immutable.
 *
 * @param title such as "affinity of MapReduce workloads"
 * @param parts in the order in which they ran; arms of one name are of one kind in all of them
 * @param sections more tables and figures of this kind of study
 * @param remarks what holds for the whole study, such as limits of the machine
 * @param environment the machine and its state
 * @param written when
 * @param folder where all results are
 */
public record Study(
        String title,
        List<Part> parts,
        List<Section> sections,
        List<String> remarks,
        List<ReportFact> environment,
        String written,
        String folder) {
    /** Copies the lists. */
    public Study {
        parts = List.copyOf(parts);
        sections = List.copyOf(sections);
        remarks = List.copyOf(remarks);
        environment = List.copyOf(environment);
    }

    /**
     * One workload under one setting.
     *
     * @param setting such as "berth-spark, 2 workers of 1 thread"
     * @param page path of its own report below the folder of the study
     */
    public record Part(String workload, String setting, Comparison comparison, String page) {
        ExperimentResult result() {
            return comparison.result();
        }
    }

    /**
     * A table of all parts.
     *
     * @param file name of its files, without an ending, and of its list in JSON
     * @param table a heading, then rows
     * @param notes below the table
     * @param csv the numbers behind it (RFC 4180)
     * @param fields of JSON; nothing without any
     */
    public record Section(
            String title,
            String file,
            List<List<String>> table,
            List<String> notes,
            String csv,
            Optional<PauseFigureSvg> figure,
            List<Json.Fields> fields) {
        /** Copies the lists. */
        public Section {
            table = List.copyOf(table);
            notes = List.copyOf(notes);
            fields = List.copyOf(fields);
        }
    }

    /** The parts of each setting, in their order. */
    Map<String, List<Part>> bySetting() {
        return parts.stream().collect(Collectors.groupingBy(Part::setting, LinkedHashMap::new, Collectors.toList()));
    }

    /** Names of all arms, each once. */
    List<String> arms() {
        return parts.stream()
                .flatMap(part -> part.result().summary().arms().stream())
                .map(ArmSummary::arm)
                .distinct()
                .toList();
    }

    /** A heading, then a row for each arm of each part. */
    List<List<String>> table() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "Workload",
                "Setting",
                "Arm",
                "Runs",
                "Median",
                "Smallest to largest",
                "Ratio (95 % interval)",
                "Verdict"));
        for (Part part : parts) {
            Quantity quantity = quantity(part.result().experiment());
            for (ArmSummary arm : part.result().summary().arms()) {
                rows.add(List.of(
                        part.workload(),
                        part.setting(),
                        arm.arm(),
                        arm.completed() + bad(arm),
                        quantity.median(arm.measure()),
                        quantity.range(arm.measure()),
                        ReportTables.ratio(arm.ratio()),
                        Answer.word(part.result().summary(), arm)));
            }
        }
        return rows;
    }

    /** A sentence for the whole study, by the words for its arms: "Of 4 comparisons: faster 1, NOT DECIDED 3." */
    public String answer() {
        Map<String, Long> words = parts.stream()
                .flatMap(part -> part.result().summary().arms().stream()
                        .skip(1)
                        .map(arm -> Answer.word(part.result().summary(), arm)))
                .collect(Collectors.groupingBy(word -> word, LinkedHashMap::new, Collectors.counting()));
        long all = words.values().stream().mapToLong(Long::longValue).sum();
        return all == 0
                ? "NOT DECIDED: no arm was compared with another one."
                : "Of " + Words.count(all, "comparison") + ": "
                        + words.entrySet().stream()
                                .map(word -> word.getKey() + " " + word.getValue())
                                .collect(Collectors.joining(", "))
                        + ".";
    }

    /** What makes the numbers doubtful: work of others during the runs of all parts together. */
    public List<String> warnings() {
        return OtherWork.of(parts.stream()
                        .flatMap(part -> part.result().trials().stream())
                        .toList())
                .flatMap(ComparisonText::disturbance)
                .stream()
                .toList();
    }

    /** The compared arms of a setting, as rows of a picture. */
    static List<RacePage.Row> rows(List<Part> members) {
        List<RacePage.Row> rows = new ArrayList<>();
        for (Part part : members) {
            Summary summary = part.result().summary();
            for (ArmSummary arm : summary.arms().subList(1, summary.arms().size())) {
                arm.ratio()
                        .ifPresent(ratio -> rows.add(new RacePage.Row(
                                part.workload() + ": " + arm.arm(),
                                Answer.word(summary, arm),
                                List.of(),
                                OptionalDouble.of(ratio.estimate()),
                                ratio.interval())));
            }
        }
        return rows;
    }

    private static String bad(ArmSummary arm) {
        int bad = arm.failed() + arm.timedOut();
        return bad == 0 ? "" : ", and " + bad + " not completed";
    }

    static Quantity quantity(Experiment experiment) {
        return experiment.metrics().isEmpty()
                ? Quantity.WALL
                : Quantity.of(experiment.metrics().get(0));
    }

    /** A verdict for each arm of each part but the baselines, and for each setting the arms that were not run. */
    List<String> verdicts() {
        Set<String> lines = new LinkedHashSet<>();
        bySetting().forEach((setting, members) -> {
            for (Part part : members) {
                VerdictText.verdicts(part.result().summary())
                        .forEach(line -> lines.add(part.workload() + ", " + setting + ": " + line));
            }
            members.forEach(part -> part.comparison()
                    .same()
                    .forEach((level, why) -> lines.add(setting + ": " + level + ": " + why + ", not run.")));
        });
        return List.copyOf(lines);
    }

    /** Lines for a terminal; the answer comes last. */
    public List<String> text(int width) {
        TextTable table = TextTable.ofNumbers();
        table().forEach(table::row);
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(table.lines());
        for (Section section : sections) {
            TextTable more = TextTable.ofNumbers();
            section.table().forEach(more::row);
            lines.addAll(List.of("", Words.capital(section.title()) + ":"));
            lines.addAll(more.lines());
            section.notes().forEach(note -> lines.addAll(WordWrap.wrap(note, width)));
        }
        lines.add("");
        Stream.of(verdicts(), remarks, warnings())
                .flatMap(List::stream)
                .forEach(line -> lines.addAll(WordWrap.wrap(line, width)));
        return lines;
    }

    /** All runs that count as a table (RFC 4180). */
    public String csv() {
        StringBuilder csv = new StringBuilder("workload,setting,arm,round,value,unit\r\n");
        for (Part part : parts) {
            Experiment experiment = part.result().experiment();
            for (Trial trial : part.result().trials()) {
                if (trial.counts()) {
                    value(trial, experiment)
                            .ifPresent(value -> csv.append(String.join(
                                            ",",
                                            ReportTrialsCsv.cell(part.workload()),
                                            ReportTrialsCsv.cell(part.setting()),
                                            ReportTrialsCsv.cell(trial.arm()),
                                            Integer.toString(trial.run().round()),
                                            String.format(Locale.ROOT, "%.6f", value),
                                            ReportTrialsCsv.cell(
                                                    quantity(experiment).unit())))
                                    .append("\r\n"));
                }
            }
        }
        return csv.toString();
    }

    private static Optional<Double> value(Trial trial, Experiment experiment) {
        if (experiment.metrics().isEmpty()) {
            return Optional.of(trial.wallSeconds());
        }
        var value = trial.metric(experiment.metrics().get(0).name());
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }

    /** { "format": "berth-study", "version": 1, "title", "results", "remarks", "parts": [ { "workload", "setting", "comparison" }, … ] }, and a list for each section with fields. */
    public String json() {
        Json.Fields all = Json.object()
                .with("format", "berth-study")
                .with("version", 1)
                .with("title", title)
                .with("results", folder)
                .with("remarks", remarks)
                .withEach(
                        "parts",
                        parts,
                        part -> Json.object()
                                .with("workload", part.workload())
                                .with("setting", part.setting())
                                .with("comparison", ComparisonJson.fields(part.comparison())));
        for (Section section : sections) {
            all = section.fields().isEmpty() ? all : all.withEach(section.file(), section.fields(), fields -> fields);
        }
        return Json.of(all);
    }

    /** Grouped bars of medians with the smallest and the largest run: a panel for each setting, a group for each workload. */
    public FigureSvg figure() {
        List<FigureSvg.Panel> panels = new ArrayList<>();
        bySetting().forEach((setting, members) -> {
            List<FigureSvg.Series> series = arms().stream()
                    .map(arm -> new FigureSvg.Series(
                            arm,
                            members.stream().map(part -> measure(part, arm)).toList()))
                    .toList();
            Quantity quantity = quantity(members.get(0).result().experiment());
            panels.add(new FigureSvg.Panel(
                    setting + ": " + quantity.name() + ", " + quantity.unit(),
                    "workload",
                    quantity,
                    members.stream().map(Part::workload).toList(),
                    series,
                    true));
        });
        return new FigureSvg(
                Words.capital(title),
                List.of(
                        "Median, and from the smallest to the largest run; an arm without a bar is the same as another one"
                                + " here."),
                panels);
    }

    private static Optional<Spread> measure(Part part, String name) {
        return part.result().summary().arms().stream()
                .filter(arm -> arm.arm().equals(name))
                .findFirst()
                .flatMap(ArmSummary::measure);
    }
}
