package org.berth.cli.compare.arms;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import picocli.CommandLine.Option;

/** The option {@code --kernel}: the first arm again, under other settings of the kernel. */
public final class KernelOptions {
    @Option(
            names = "--kernel",
            paramLabel = "LIST",
            description =
                    "Additional arms: the first arm (for tune, the unbound command) under other settings of the kernel,"
                            + " as root: numa-balancing=0|1|2|3, cache-aware=on|off, llc-tolerance=0…100,"
                            + " thp=always|madvise|never; + joins settings of one arm. They are put back after each run.")
    private Optional<String> list = Optional.empty();

    /** Whether it is given. */
    public boolean given() {
        return list.isPresent();
    }

    /** The conditions, each of which can be set; a usage error or a failure otherwise. */
    public List<KernelCondition> conditions() {
        List<KernelCondition> conditions = list.map(KernelCondition::parseList).orElse(List.of());
        conditions.forEach(KernelCondition::requireWritable);
        return conditions;
    }

    /** The comparison with an arm for each condition that changes something. */
    public PreparedComparison addTo(PreparedComparison comparison) throws IOException {
        List<Arm> arms = new ArrayList<>(comparison.experiment().arms());
        List<String> absent = new ArrayList<>(comparison.arms().absent());
        Arm first = arms.get(0);
        for (KernelCondition condition : conditions()) {
            Optional<String> same = condition.sameAsPresent(first.name());
            if (same.isPresent()) {
                absent.add(same.get());
            } else {
                arms.add(first.under(condition.switches(), condition.name()));
            }
        }
        if (given() && arms.size() < 2) {
            throw CommandException.failure("nothing to compare: " + String.join("; ", absent));
        }
        try {
            return new PreparedComparison(
                    comparison.experiment().withArms(arms), comparison.arms().withAbsent(absent), comparison.folder());
        } catch (IllegalArgumentException twoOfOneName) {
            throw CommandException.usage("--kernel: " + twoOfOneName.getMessage());
        }
    }
}
