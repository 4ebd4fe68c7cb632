package org.berth.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code compare} for arms of a command besides the levels. */
final class ArmOptions {
    @Option(
            names = "--arm",
            paramLabel = "NAME=OPTIONS",
            description =
                    "An additional arm: options of 'berth run', after VARIABLE=VALUE settings if any; may be repeated.")
    private List<String> arms = new ArrayList<>();

    @Option(names = "--near", paramLabel = "DEVICE", description = "An additional arm: all CPUs near this device.")
    private Optional<String> near = Optional.empty();

    @Option(names = "--numactl", description = "An additional arm for each NUMA node: its CPUs and memory, by numactl.")
    private boolean numactl;

    @Option(
            names = "--numa-balancing",
            description =
                    "An additional arm: unbound, with the kernel's automatic NUMA balancing on (root only; restored after"
                            + " each run).")
    private boolean balancing;

    boolean isEmpty() {
        return arms.isEmpty() && near.isEmpty() && !numactl && !balancing;
    }

    /** The values of the options; a usage error when an arm cannot be parsed. */
    ExtraArms arms() {
        return new ExtraArms(arms.stream().map(UserArm::parse).toList(), near, numactl, balancing);
    }

    /** Whether an arm switches settings of the kernel. */
    boolean switchesKernel() {
        return balancing
                || arms.stream().anyMatch(arm -> !UserArm.parse(arm).kernel().isEmpty());
    }
}
