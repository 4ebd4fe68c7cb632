package org.berth.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.berth.drawing.text.TextTable;
import org.berth.experiments.ArmMigrations;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Summary;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.MigrationCount;

/** How often threads moved, arm by arm: a table of a comparison. */
public final class MigrationTable {
    public static final String LEGEND =
            "MOVES: medians per run, of all threads of its JVMs and (in brackets) of its workers, between CPUs (by the kernel's"
                    + " count; >= by samples), and between cores, last-level caches, packages and NUMA nodes (by samples,"
                    + " lower bounds). The way into a place counts too.";

    private MigrationTable() {}

    /** Empty when no run showed a thread. */
    public static List<String> render(Summary summary) {
        if (summary.arms().stream()
                .allMatch(arm -> arm.migrations().betweenCpus().isEmpty())) {
            return List.of();
        }
        TextTable table = TextTable.ofNumbers().row("MOVES", "CPUS", "CORES", "CACHES", "PACKAGES", "NODES");
        for (ArmSummary arm : summary.arms()) {
            table.row(
                    arm.arm(),
                    cell(arm, ArmMigrations::betweenCpus, true),
                    cell(arm, ArmMigrations::betweenCores, false),
                    cell(arm, ArmMigrations::betweenCaches, false),
                    cell(arm, ArmMigrations::betweenPackages, false),
                    cell(arm, ArmMigrations::betweenNodes, false));
        }
        return table.lines();
    }

    private static String cell(ArmSummary arm, Function<ArmMigrations, Optional<Spread>> which, boolean counted) {
        Optional<Spread> all = which.apply(arm.migrations());
        Optional<Spread> workers = which.apply(arm.workerMigrations());
        return all.isEmpty() || workers.isEmpty()
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%s%.0f (%s%.0f)",
                        bound(arm.migrations(), counted),
                        all.get().median(),
                        bound(arm.workerMigrations(), counted),
                        workers.get().median());
    }

    private static String bound(ArmMigrations moves, boolean counted) {
        return counted && moves.source() == MigrationCount.Source.SAMPLES ? ">=" : "";
    }
}
