package org.berth.experiments.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.berth.experiments.KernelAccounting;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.Trial;
import org.berth.experiments.statistics.Spread;

/**
 * What the completed runs of an arm used, per run; see {@link KernelAccounting} and {@link ResourceUsage} for each number. Empty where no
 * run has the number.
 *
 * @param counters by their names; those that at least one run has
 */
public record ArmUsage(
        Optional<Spread> userSeconds,
        Optional<Spread> systemSeconds,
        Optional<Spread> peakRssBytes,
        Optional<Spread> minorFaults,
        Optional<Spread> majorFaults,
        Optional<Spread> voluntarySwitches,
        Optional<Spread> involuntarySwitches,
        Optional<Spread> treePeakRssBytes,
        Optional<Spread> remoteShare,
        Optional<Spread> heapHugeShare,
        Optional<Spread> gcPauseSeconds,
        Map<String, Spread> counters) {
    public ArmUsage {
        counters = Map.copyOf(counters);
    }

    static ArmUsage of(List<Trial> good) {
        List<ResourceUsage> resources = good.stream().map(Trial::resources).toList();
        List<KernelAccounting> usages =
                resources.stream().flatMap(one -> one.accounting().stream()).toList();
        return new ArmUsage(
                spread(usages, KernelAccounting::userSeconds),
                spread(usages, KernelAccounting::systemSeconds),
                spread(usages, KernelAccounting::peakRssBytes),
                spread(usages, KernelAccounting::minorFaults),
                spread(usages, KernelAccounting::majorFaults),
                spread(usages, KernelAccounting::voluntarySwitches),
                spread(usages, KernelAccounting::involuntarySwitches),
                Spread.of(resources.stream()
                        .map(ResourceUsage::treePeakRssBytes)
                        .flatMapToLong(OptionalLong::stream)
                        .asDoubleStream()),
                Spread.of(resources.stream().map(ResourceUsage::remoteShare).flatMapToDouble(OptionalDouble::stream)),
                Spread.of(resources.stream().map(ResourceUsage::heapHugeShare).flatMapToDouble(OptionalDouble::stream)),
                Spread.of(
                        resources.stream().map(ResourceUsage::gcPauseSeconds).flatMapToDouble(OptionalDouble::stream)),
                counters(usages));
    }

    private static Optional<Spread> spread(List<KernelAccounting> usages, ToDoubleFunction<KernelAccounting> number) {
        return Spread.of(usages.stream().mapToDouble(number));
    }

    private static Map<String, Spread> counters(List<KernelAccounting> usages) {
        Map<String, List<Long>> values = new TreeMap<>();
        for (KernelAccounting usage : usages) {
            usage.counters()
                    .forEach((name, value) -> values.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(value));
        }
        Map<String, Spread> spreads = new TreeMap<>();
        values.forEach((name, all) ->
                Spread.of(all.stream().mapToDouble(Long::doubleValue)).ifPresent(spread -> spreads.put(name, spread)));
        return spreads;
    }
}
