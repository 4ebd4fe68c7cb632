package org.berth.experiments.result;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.Trial;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.threads.MigrationCount;

/**
 * How often threads of an arm migrated, per completed run; see {@link MigrationCount} for each number. Empty when no thread
 * was seen.
 *
 * @param source where {@code betweenCpus} comes from: the kernel only when it told in every run
 * @param betweenCpus between logical CPUs
 * @param betweenCores between cores, as samples showed: a lower bound, as all that follow
 * @param betweenCaches between last-level caches
 * @param betweenPackages between packages
 * @param betweenNodes between NUMA nodes
 */
public record ArmMigrations(
        MigrationCount.Source source,
        Optional<Spread> betweenCpus,
        Optional<Spread> betweenCores,
        Optional<Spread> betweenCaches,
        Optional<Spread> betweenPackages,
        Optional<Spread> betweenNodes) {

    /** @param seen runs in which threads were seen */
    static ArmMigrations of(List<Trial> seen, Function<SamplingSummary, MigrationCount> which) {
        List<MigrationCount> counts =
                seen.stream().map(Trial::sampling).map(which).toList();
        // Either source for all runs: numbers of different kinds have no median.
        boolean kernelTold =
                !counts.isEmpty() && counts.stream().allMatch(count -> count.source() == MigrationCount.Source.KERNEL);
        return new ArmMigrations(
                kernelTold ? MigrationCount.Source.KERNEL : MigrationCount.Source.SAMPLES,
                spread(counts, kernelTold ? MigrationCount::betweenCpus : MigrationCount::seenBetweenCpus),
                spread(counts, MigrationCount::seenBetweenCores),
                spread(counts, MigrationCount::seenBetweenCaches),
                spread(counts, MigrationCount::seenBetweenPackages),
                spread(counts, MigrationCount::seenBetweenNodes));
    }

    private static Optional<Spread> spread(List<MigrationCount> counts, ToDoubleFunction<MigrationCount> number) {
        return Spread.of(counts.stream().mapToDouble(number));
    }
}
