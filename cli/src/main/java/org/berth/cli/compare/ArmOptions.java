package org.berth.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What {@code compare} runs a command as, besides the levels. */
final class ArmOptions {
    @Option(
            names = "--arm",
            paramLabel = "NAME=OPTIONS",
            description =
                    "One more way to run the command: options of 'berth run', after VARIABLE=VALUE settings if any;"
                            + " may be repeated.")
    private List<String> arms = new ArrayList<>();

    @Option(names = "--near", paramLabel = "DEVICE", description = "One more: on all CPUs near this device.")
    private Optional<String> near = Optional.empty();

    @Option(names = "--numactl", description = "One more for each NUMA node: CPUs and memory of it, by numactl.")
    private boolean numactl;

    @Option(
            names = "--numa-balancing",
            description =
                    "One more: unbound, with the kernel's automatic NUMA balancing on (root only; put back after each"
                            + " run).")
    private boolean balancing;

    boolean isEmpty() {
        return arms.isEmpty() && near.isEmpty() && !numactl && !balancing;
    }

    /** The values of the options; a usage error when an arm cannot be parsed. */
    MoreArms arms() {
        return new MoreArms(arms.stream().map(UserArm::parse).toList(), near, numactl, balancing);
    }

    boolean balancing() {
        return balancing;
    }
}
