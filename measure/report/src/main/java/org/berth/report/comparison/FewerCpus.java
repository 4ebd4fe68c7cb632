package org.berth.report.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.Arm;
import org.berth.placement.PlacementPlan;
import org.berth.text.Words;
import org.berth.topology.CpuSet;

/**
 * Arms that leave a command fewer CPUs than the first arm does. Such an arm is slower for a command with many threads whatever
 * the placement is worth, so its verdict is never shown without this line. Pure functions.
 */
final class FewerCpus {
    private FewerCpus() {}

    /** A line for each such arm. */
    static List<String> lines(Comparison comparison) {
        List<Arm> arms = comparison.result().experiment().arms();
        Optional<CpuSet> first = cpus(arms.get(0))
                .or(() -> comparison.plans().values().stream()
                        .map(PlacementPlan::allowed)
                        .findFirst());
        List<String> lines = new ArrayList<>();
        for (Arm arm : arms) {
            Optional<CpuSet> cpus = cpus(arm);
            if (first.isPresent()
                    && cpus.isPresent()
                    && cpus.get().size() < first.get().size()) {
                lines.add("Fewer CPUs: " + arm.name() + " has " + cpus.get().size() + " of "
                        + Words.count(first.get().size(), "CPU") + " (" + cpus.get()
                        + "). A command that can use more is slower there for that reason alone.");
            }
        }
        return lines;
    }

    /** The CPUs of an arm that binds its command as a whole. */
    private static Optional<CpuSet> cpus(Arm arm) {
        List<CpuSet> slots = arm.expectation().slots();
        return slots.size() == 1 ? Optional.of(slots.get(0)) : Optional.empty();
    }
}
