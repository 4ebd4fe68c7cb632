package org.berth.report.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ArmUsage;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Spread;
import org.berth.text.Bytes;
import org.berth.text.TextTable;

/** What the runs of each arm took in addition to time: a table of a comparison. Pure. */
public final class UsageTable {
    static final String LEGEND =
            "RSS, ALL: peak memory of all its processes together, by samples, a lower bound; a page shared by two processes is"
                    + " counted in both. RSS, LARGEST: peak memory of its largest process, by the kernel. CPU MIGR.: migrations"
                    + " between CPUs, by the kernel's counter. HUGE: the part of the JVM's heap that lies in huge pages, at the last look.";

    private UsageTable() {}

    /** Is empty when nothing was accounted for; a column that no arm has is left out. */
    static List<String> render(Summary summary) {
        List<Column> columns = new ArrayList<>(List.of(
                new Column("USER", ArmUsage::userSeconds, UsageTable::seconds),
                new Column("SYSTEM", ArmUsage::systemSeconds, UsageTable::seconds),
                new Column("RSS, ALL", ArmUsage::treePeakRssBytes, UsageTable::size),
                new Column("RSS, LARGEST", ArmUsage::peakRssBytes, UsageTable::size),
                new Column("SWITCHES", ArmUsage::voluntarySwitches, Quantity::count),
                new Column("PREEMPTED", ArmUsage::involuntarySwitches, Quantity::count),
                new Column("FAULTS", ArmUsage::minorFaults, Quantity::count),
                new Column("MAJOR", ArmUsage::majorFaults, Quantity::count),
                new Column("CPU MIGR.", usage -> counter(usage, "cpu-migrations"), Quantity::count),
                new Column("REMOTE", ArmUsage::remoteShare, UsageTable::percent),
                new Column("HUGE", ArmUsage::heapHugeShare, UsageTable::percent),
                new Column("GC PAUSES", ArmUsage::gcPauseSeconds, UsageTable::seconds)));
        columns.removeIf(column -> summary.arms().stream()
                .allMatch(arm -> column.value.of(arm.usage()).isEmpty()));
        if (columns.isEmpty()) {
            return List.of();
        }
        List<String> heading = new ArrayList<>(List.of("MEDIANS"));
        columns.forEach(column -> heading.add(column.name));
        TextTable table = TextTable.ofNumbers().row(heading);
        for (ArmSummary arm : summary.arms()) {
            List<String> row = new ArrayList<>(List.of(arm.arm()));
            columns.forEach(column -> row.add(column.value
                    .of(arm.usage())
                    .map(spread -> column.format.apply(spread.median()))
                    .orElse("-")));
            table.row(row);
        }
        return table.lines();
    }

    /** Why counters and the numbers of arms are missing, a line for each reason. */
    public static List<String> missing(ExperimentResult result) {
        Map<String, List<String>> byReason = new TreeMap<>();
        Map<String, List<String>> elsewhere = new TreeMap<>();
        result.experiment().arms().stream()
                .filter(arm -> !arm.elsewhere().isEmpty())
                .forEach(arm -> elsewhere
                        .computeIfAbsent(arm.elsewhere(), any -> new ArrayList<>())
                        .add(arm.name()));
        result.trials().stream()
                .filter(Trial::counts)
                .flatMap(trial -> trial.resources().accounting().stream())
                .findFirst()
                .ifPresent(usage -> usage.missing()
                        .forEach((name, reason) -> byReason.computeIfAbsent(reason, any -> new ArrayList<>())
                                .add(name)));
        List<String> lines = new ArrayList<>();
        elsewhere.forEach(
                (where, names) -> lines.add("Not accounted for: " + String.join(", ", names) + " (" + where + ")."));
        byReason.forEach(
                (reason, names) -> lines.add("Not counted: " + String.join(", ", names) + " (" + reason + ")."));
        return lines;
    }

    /** What an arm may have. */
    private interface Value {
        Optional<Spread> of(ArmUsage usage);
    }

    private record Column(String name, Value value, DoubleFunction<String> format) {}

    private static Optional<Spread> counter(ArmUsage usage, String name) {
        return Optional.ofNullable(usage.counters().get(name));
    }

    public static String size(double bytes) {
        return Bytes.text(Math.round(bytes));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
