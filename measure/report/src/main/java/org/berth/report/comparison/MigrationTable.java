package org.berth.report.comparison;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.experiments.result.ArmMigrations;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.threads.MigrationCount;
import org.berth.text.TextTable;

/** How often threads migrated, arm by arm: a table of a comparison. Pure. */
final class MigrationTable {
    static final String LEGEND =
            "MIGRATIONS: medians per run, of all threads of its JVMs and (in brackets) of its workers, between CPUs (by the"
                    + " kernel's count; >= by samples), and between cores, last-level caches, packages and NUMA nodes (by"
                    + " samples, lower bounds). The migration of a thread to its slot counts too.";

    private MigrationTable() {}

    /** Is empty when no run showed a thread. */
    static List<String> render(Summary summary) {
        if (summary.arms().stream()
                .allMatch(arm -> arm.migrations().betweenCpus().isEmpty())) {
            return List.of();
        }
        TextTable table = TextTable.ofNumbers().row("MIGRATIONS", "CPUS", "CORES", "CACHES", "PACKAGES", "NODES");
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
                : bound(arm.migrations(), counted) + Quantity.count(all.get().median()) + " ("
                        + bound(arm.workerMigrations(), counted)
                        + Quantity.count(workers.get().median()) + ")";
    }

    private static String bound(ArmMigrations moves, boolean counted) {
        return counted && moves.source() == MigrationCount.Source.SAMPLES ? ">=" : "";
    }
}
