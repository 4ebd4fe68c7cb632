package org.berth.report.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.berth.experiments.Arm;
import org.berth.experiments.CollectorUse;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.report.PauseFigureSvg;
import org.berth.report.ReportTables;
import org.berth.report.comparison.ReportText;
import org.berth.report.comparison.ReportTrialsCsv;
import org.berth.report.comparison.SpreadJson;
import org.berth.text.Json;
import org.berth.text.Words;

/** What a study of collectors tells besides throughput: pauses, CPU time, places, and what one factor changes. Pure. */
public final class CollectorSections {
    private static final double ERROR = 0.05;
    private static final int PERCENT = 100;

    private CollectorSections() {}

    /**
     * Two arms that differ in one factor.
     *
     * @param arm the one with the other value, such as "g1+numa"
     * @param against the one with the first value, such as "g1"
     */
    public record Pair(String arm, String against) {}

    /** One number of a run. */
    private record Measure(String name, ToDoubleFunction<CollectorUse> of) {}

    private static final List<Measure> NUMBERS = List.of(
            new Measure("pauses", use -> use.pauses().count()),
            new Measure("pauseP50Millis", use -> use.pauses().p50Millis()),
            new Measure("pauseP99Millis", use -> use.pauses().p99Millis()),
            new Measure("pauseMaxMillis", use -> use.pauses().maxMillis()),
            new Measure("pauseTotalMillis", use -> use.pauses().totalMillis()),
            new Measure("stalls", use -> use.stalls().count()),
            new Measure("stallTotalMillis", use -> use.stalls().totalMillis()),
            new Measure("stallMaxMillis", use -> use.stalls().maxMillis()),
            new Measure("collectorCpuSeconds", CollectorUse::cpuSeconds),
            new Measure("collectorThreads", CollectorUse::threads));

    /** The pauses, then what each factor changes if there are pairs. */
    public static List<Study.Section> of(List<Study.Part> parts, List<Pair> pairs) {
        List<Study.Section> sections = new ArrayList<>();
        sections.add(new Study.Section(
                "pauses and CPU time of the collectors",
                "pauses",
                table(parts),
                List.of(
                        "Medians over the runs, in brackets from the smallest to the largest run. p50, p99, LONGEST and TOTAL are"
                                + " of the pauses of one run, by the JVM's log; of fewer than 100 pauses, p99 is the longest."
                                + " STALLS: waits of single threads for memory that ZGC had not freed in time; they are no"
                                + " pauses. GC CPU: CPU time of the collector's threads and the VM thread, by samples. BY NODE:"
                                + " where these threads spent it. REMOTE: memory that is not near the CPUs that the process"
                                + " may use."),
                csv(parts),
                Optional.of(figure(parts)),
                json(parts)));
        List<List<String>> effects = effects(parts, pairs);
        if (effects.size() > 1) {
            sections.add(new Study.Section(
                    "what one factor changes",
                    "factors",
                    effects,
                    List.of(
                            "Ratios of the arm to the arm of the same collector that differs in one factor, run by run in the"
                                    + " same round; each interval of 95 % holds for itself."),
                    lines(effects),
                    Optional.empty(),
                    List.of()));
        }
        return sections;
    }

    private static List<Trial> good(Study.Part part, String arm) {
        return part.result().trials().stream()
                .filter(trial -> trial.counts() && trial.arm().equals(arm))
                .toList();
    }

    private static List<String> arms(Study.Part part) {
        return part.result().experiment().arms().stream().map(Arm::name).toList();
    }

    private static List<CollectorUse> uses(Study.Part part, String arm) {
        return good(part, arm).stream()
                .flatMap(trial -> trial.resources().collector().stream())
                .toList();
    }

    private static Optional<Spread> spread(List<CollectorUse> uses, ToDoubleFunction<CollectorUse> number) {
        return Spread.of(uses.stream().mapToDouble(number));
    }

    private static List<List<String>> table(List<Study.Part> parts) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "Workload",
                "Setting",
                "Arm",
                "Pauses",
                "p50, ms",
                "p99, ms",
                "Longest, ms",
                "Total, ms",
                "Stalls",
                "GC CPU, s",
                "GC threads",
                "By node",
                "Remote"));
        for (Study.Part part : parts) {
            for (String arm : arms(part)) {
                List<CollectorUse> uses = uses(part, arm);
                rows.add(List.of(
                        part.workload(),
                        part.setting(),
                        arm,
                        text(spread(uses, use -> use.pauses().count())),
                        text(spread(uses, use -> use.pauses().p50Millis())),
                        text(spread(uses, use -> use.pauses().p99Millis())),
                        text(spread(uses, use -> use.pauses().maxMillis())),
                        text(spread(uses, use -> use.pauses().totalMillis())),
                        text(spread(uses, use -> use.stalls().count())),
                        text(spread(uses, CollectorUse::cpuSeconds)),
                        text(spread(uses, CollectorUse::threads)),
                        byNode(uses),
                        Spread.of(good(part, arm).stream()
                                        .map(trial -> trial.resources().remoteShare())
                                        .flatMapToDouble(OptionalDouble::stream))
                                .map(share -> percent(share.median()))
                                .orElse(ReportText.NOTHING)));
            }
        }
        return rows;
    }

    private static String text(Optional<Spread> spread) {
        return spread.map(one -> PauseFigureSvg.millis(one.median())
                        + (one.min() == one.max()
                                ? ""
                                : " (" + PauseFigureSvg.millis(one.min()) + " to " + PauseFigureSvg.millis(one.max())
                                        + ")"))
                .orElse(ReportText.NOTHING);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", PERCENT * share);
    }

    /** "0: 60 %, 1: 40 %", of all runs together. */
    private static String byNode(List<CollectorUse> uses) {
        Map<Integer, Double> seconds = secondsByNode(uses);
        double all = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
        return all == 0
                ? ReportText.NOTHING
                : seconds.entrySet().stream()
                        .map(node -> node.getKey() + ": " + percent(node.getValue() / all))
                        .collect(Collectors.joining(", "));
    }

    private static Map<Integer, Double> secondsByNode(List<CollectorUse> uses) {
        Map<Integer, Double> seconds = new TreeMap<>();
        uses.forEach(use -> use.cpuSecondsByNode().forEach((node, one) -> seconds.merge(node, one, Double::sum)));
        return seconds;
    }

    private static PauseFigureSvg figure(List<Study.Part> parts) {
        return new PauseFigureSvg(
                "Pauses of the collectors",
                List.of(
                        "Of the pauses of a run; a line from the smallest to the largest run. The axis is logarithmic."),
                parts.stream()
                        .map(part -> new PauseFigureSvg.Panel(
                                part.workload() + ", " + part.setting(),
                                arms(part).stream().map(arm -> row(part, arm)).toList()))
                        .toList());
    }

    private static PauseFigureSvg.Row row(Study.Part part, String arm) {
        List<CollectorUse> uses =
                uses(part, arm).stream().filter(use -> use.pauses().count() > 0).toList();
        List<Spread> marks = new ArrayList<>();
        spread(uses, use -> use.pauses().p50Millis()).ifPresent(marks::add);
        spread(uses, use -> use.pauses().p99Millis()).ifPresent(marks::add);
        spread(uses, use -> use.pauses().maxMillis()).ifPresent(marks::add);
        return new PauseFigureSvg.Row(arm, marks);
    }

    private static List<List<String>> effects(List<Study.Part> parts, List<Pair> pairs) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "Workload",
                "Setting",
                "Arm",
                "Against",
                parts.isEmpty()
                        ? "Work"
                        : Words.capital(Study.quantity(parts.get(0).result().experiment())
                                .name()),
                "p99 of pauses",
                "Total of pauses",
                "GC CPU"));
        for (Study.Part part : parts) {
            for (Pair pair : pairs) {
                if (arms(part).containsAll(List.of(pair.arm(), pair.against()))) {
                    rows.add(List.of(
                            part.workload(),
                            part.setting(),
                            pair.arm(),
                            pair.against(),
                            ratio(part, pair, trial -> work(part, trial)),
                            ratio(part, pair, of(use -> use.pauses().p99Millis())),
                            ratio(part, pair, of(use -> use.pauses().totalMillis())),
                            ratio(part, pair, of(CollectorUse::cpuSeconds))));
                }
            }
        }
        return rows;
    }

    private static double work(Study.Part part, Trial trial) {
        List<Metric> metrics = part.result().experiment().metrics();
        return metrics.isEmpty()
                ? trial.wallSeconds()
                : trial.metric(metrics.get(0).name()).orElse(0);
    }

    private static ToDoubleFunction<Trial> of(ToDoubleFunction<CollectorUse> number) {
        return trial -> trial.resources().collector().map(number::applyAsDouble).orElse(0.0);
    }

    /** A round counts in which both have a number above 0. */
    private static String ratio(Study.Part part, Pair pair, ToDoubleFunction<Trial> number) {
        Map<Integer, Double> against = new LinkedHashMap<>();
        good(part, pair.against()).forEach(trial -> against.put(trial.run().round(), number.applyAsDouble(trial)));
        double[] quotients = good(part, pair.arm()).stream()
                .filter(trial -> number.applyAsDouble(trial) > 0
                        && against.getOrDefault(trial.run().round(), 0.0) > 0)
                .mapToDouble(trial -> number.applyAsDouble(trial)
                        / against.getOrDefault(trial.run().round(), Double.NaN))
                .toArray();
        return quotients.length == 0 ? ReportText.NOTHING : ReportTables.ratio(Optional.of(Ratio.of(quotients, ERROR)));
    }

    /** A line for each run (RFC 4180). */
    private static String csv(List<Study.Part> parts) {
        List<List<String>> rows = new ArrayList<>();
        List<String> heading = new ArrayList<>(List.of("workload", "setting", "arm", "round"));
        NUMBERS.forEach(number -> heading.add(number.name()));
        heading.addAll(List.of("collectorCpuSecondsByNode", "remoteShare"));
        rows.add(heading);
        for (Study.Part part : parts) {
            for (Trial trial : part.result().trials()) {
                if (trial.counts() && trial.resources().collector().isPresent()) {
                    CollectorUse use = trial.resources().collector().get();
                    List<String> row = new ArrayList<>(List.of(
                            part.workload(),
                            part.setting(),
                            trial.arm(),
                            Integer.toString(trial.run().round())));
                    NUMBERS.forEach(number -> row.add(
                            String.format(Locale.ROOT, "%.6f", number.of().applyAsDouble(use))));
                    row.add(use.cpuSecondsByNode().entrySet().stream()
                            .map(node -> String.format(Locale.ROOT, "%d:%.3f", node.getKey(), node.getValue()))
                            .collect(Collectors.joining(" ")));
                    OptionalDouble remote = trial.resources().remoteShare();
                    row.add(remote.isPresent() ? String.format(Locale.ROOT, "%.6f", remote.getAsDouble()) : "");
                    rows.add(row);
                }
            }
        }
        return lines(rows);
    }

    private static String lines(List<List<String>> rows) {
        return rows.stream()
                .map(row -> row.stream().map(ReportTrialsCsv::cell).collect(Collectors.joining(",")) + "\r\n")
                .collect(Collectors.joining());
    }

    private static List<Json.Fields> json(List<Study.Part> parts) {
        List<Json.Fields> all = new ArrayList<>();
        for (Study.Part part : parts) {
            for (String arm : arms(part)) {
                List<CollectorUse> uses = uses(part, arm);
                Json.Fields fields = Json.object()
                        .with("workload", part.workload())
                        .with("setting", part.setting())
                        .with("arm", arm);
                for (Measure number : NUMBERS) {
                    fields = fields.with(number.name(), SpreadJson.of(spread(uses, number.of())));
                }
                Json.Fields nodes = Json.object();
                for (Map.Entry<Integer, Double> node : secondsByNode(uses).entrySet()) {
                    nodes = nodes.with(Integer.toString(node.getKey()), node.getValue() / uses.size());
                }
                all.add(fields.with("collectorCpuSecondsByNode", nodes));
            }
        }
        return all;
    }
}
