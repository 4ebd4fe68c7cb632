package org.berth.cli.compare.arms;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.KernelSwitch;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** The options of {@code tune} for candidates that leave placement to the kernel's NUMA balancing, or bind with it. */
public final class BalanceOptions {
    @Option(
            names = "--balance-or-bind",
            description =
                    "Additional candidates, as root: the unbound command with the kernel's NUMA balancing switched, bind with"
                            + " balancing off, and bind+balance with balancing on.")
    private boolean wanted;

    @Option(
            names = "--bound",
            paramLabel = "OPTIONS",
            description =
                    "With --balance-or-bind: options of 'berth run' for the bound candidates, as for compare; default:"
                            + " --domain numa --no-lease --memory prefer (before Linux 6.10: without --memory).")
    private Optional<String> bound = Optional.empty();

    /**
     * Candidates of a race.
     *
     * @param absent a line with the reason for each that this machine does not allow
     */
    public record Candidates(List<UserArm> arms, List<String> absent) {
        public Candidates {
            arms = List.copyOf(arms);
            absent = List.copyOf(absent);
        }
    }

    /** The candidates besides the unbound command as it is; none unless they are wanted. */
    public Candidates candidates(Topology topology) throws IOException {
        if (!wanted) {
            return new Candidates(List.of(), List.of());
        }
        String options = bound.orElseGet(() -> BalanceArms.defaultBound(System.getProperty("os.version", "")));
        return candidates(BalanceArms.of(topology, options));
    }

    /** The baseline of a race is the unbound command under the setting's present value, whichever that is. */
    static Candidates candidates(BalanceArms balance) throws IOException {
        List<UserArm> arms = new ArrayList<>();
        List<String> absent = new ArrayList<>(balance.absent());
        for (UserArm arm : balance.arms()) {
            boolean unbound = arm.name().equals(BalanceArms.NONE) || arm.name().equals(BalanceArms.BALANCE);
            String name = arm.name().equals(BalanceArms.NONE) ? "no-balance" : arm.name();
            if (!unbound || isSwitched(arm)) {
                arms.add(new UserArm(name, arm.environment(), arm.run(), arm.words(), arm.kernel()));
            } else {
                absent.add(name + ": same as none, because the kernel has this setting now");
            }
        }
        return new Candidates(arms, absent);
    }

    private static boolean isSwitched(UserArm arm) throws IOException {
        for (KernelSwitch one : arm.kernel()) {
            if (!one.isOn()) {
                return true;
            }
        }
        return false;
    }
}
