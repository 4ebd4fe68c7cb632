package org.berth.cli.compare.arms;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code compare} and {@code bench} for arms besides the levels. */
public final class ArmOptions {
    /** Why {@code --balance-or-bind} excludes options for other arms. */
    public static final String OWN_ARMS =
            "--balance-or-bind has arms of its own; give options of the bound arms with --bound, more arms with --arm";

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

    @Option(
            names = "--balance-or-bind",
            description =
                    "Test binding against the kernel's NUMA balancing (root only): instead of levels, the arms none"
                            + " and bind with balancing off, and balance and bind+balance with balancing on.")
    private boolean balanceOrBind;

    @Option(
            names = "--bound",
            paramLabel = "OPTIONS",
            description =
                    "With --balance-or-bind: options of 'berth run' for the bound arms; default: --domain numa --no-lease"
                            + " --memory prefer (before Linux 6.10: without --memory). With balancing on, prefer becomes prefer-balance and bind"
                            + " becomes bind-balance.")
    private Optional<String> bound = Optional.empty();

    public boolean isEmpty() {
        return arms.isEmpty() && near.isEmpty() && !numactl && !balancing && !balanceOrBind && bound.isEmpty();
    }

    /** Whether the arms of {@link BalanceArms} stand in for the levels. */
    public boolean replacesLevels() {
        return balanceOrBind;
    }

    /** The values of the options; a usage error when an arm cannot be parsed. */
    public ExtraArms arms() {
        Optional<String> balance = balanceOrBind
                ? Optional.of(bound.orElseGet(() -> BalanceArms.defaultBound(System.getProperty("os.version", ""))))
                : Optional.empty();
        balance.ifPresent(BalanceArms::bound);
        return new ExtraArms(arms.stream().map(UserArm::parse).toList(), near, numactl, balancing, balance);
    }

    /** Whether an arm switches settings of the kernel. */
    public boolean switchesKernel() {
        return balancing
                || balanceOrBind
                || arms.stream().anyMatch(arm -> !UserArm.parse(arm).kernel().isEmpty());
    }
}
