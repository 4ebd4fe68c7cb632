package org.berth.cli.compare.arms;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.run.PlannedRun;
import org.berth.cli.run.ThreadChoice;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.KernelSwitch;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * The arms of {@code --balance-or-bind}: the command unbound and bound, each with the kernel's NUMA balancing off and on. They differ
 * in nothing else, so that a user can see for his own work which of the two places it better.
 *
 * @param arms those that this machine allows
 * @param absent a line with the reason for each of the others
 * @param notes what a reader should know before the runs
 */
public record BalanceArms(List<UserArm> arms, List<String> absent, List<String> notes) {
    static final String NONE = "none";
    static final String BIND = "bind";
    static final String BALANCE = "balance";
    static final String BOTH = "bind+balance";

    /** The kernel's balancing leaves memory under an explicit policy alone, unless the mode says otherwise. */
    private static final Pattern MEMORY =
            Pattern.compile("(--memory(?:=|\\s+)['\"]?)(?:(bind)|prefer(?:red-many)?)(?![-\\w])");

    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)");
    private static final int MAJOR = 6;
    private static final int MINOR = 10;

    public BalanceArms {
        arms = List.copyOf(arms);
        absent = List.copyOf(absent);
        notes = List.copyOf(notes);
    }

    /**
     * What {@code --bound} is when it is not given: one node, and its memory while it has room. Kernels before 6.10 cannot balance
     * preferred memory; there the memory is local, which every kernel balances.
     */
    static String defaultBound(String kernelRelease) {
        Matcher release = RELEASE.matcher(kernelRelease);
        boolean prefers = release.lookingAt()
                && (Integer.parseInt(release.group(1)) > MAJOR
                        || (Integer.parseInt(release.group(1)) == MAJOR
                                && Integer.parseInt(release.group(2)) >= MINOR));
        return prefers ? "--domain numa --no-lease --memory prefer" : "--domain numa --no-lease";
    }

    /** The options of the bound arm with a memory mode of which the kernel may move the pages. */
    static String balanced(String bound) {
        return MEMORY.matcher(bound)
                .replaceAll(mode -> Matcher.quoteReplacement(
                        mode.group(1) + (mode.group(2) == null ? "prefer-balance" : "bind-balance")));
    }

    /** The bound arm; a usage error when the options are not those of {@code berth run}. */
    static UserArm bound(String options) {
        UserArm arm = UserArm.parse(BIND + "=" + options);
        if (!arm.kernel().isEmpty()) {
            throw CommandException.usage("--bound \"" + options
                    + "\": --balance-or-bind switches NUMA balancing itself; leave --kernel out");
        }
        return arm;
    }

    /** @param options of the bound arms */
    static BalanceArms of(Topology topology, String options) throws IOException {
        return of(topology, options, KernelKnob.NUMA_BALANCING.switched("0"));
    }

    /** @param off switches balancing off */
    static BalanceArms of(Topology topology, String options, KernelSwitch off) throws IOException {
        Maker maker = new Maker(off);
        UserArm bound = bound(options);
        UserArm both = UserArm.parse(BOTH + "=" + balanced(options));
        UserArm unbound = UserArm.parse(NONE + "=--level none");
        Optional<String> same = sameAsUnbound(topology, bound);
        maker.add(NONE, unbound, false);
        same.ifPresentOrElse(
                why -> maker.absent.add(BIND + why + ", the same as " + NONE), () -> maker.add(BIND, bound, false));
        maker.add(BALANCE, unbound, true);
        same.ifPresentOrElse(
                why -> maker.absent.add(BOTH + why + ", the same as " + BALANCE), () -> maker.add(BOTH, both, true));
        List<String> notes = new ArrayList<>();
        if (same.isPresent()) {
            notes.add("note: without a second node there is no remote memory to avoid: these runs show what NUMA"
                    + " balancing itself costs, not whether to bind; --bound \"--level core --threads N\" compares a binding within"
                    + " the node");
        } else if (bound.run() instanceof PlannedRun run) {
            CpuSet cpus = run.plan(topology).workerCpus(0);
            CpuSet all = topology.allowedCpuSet();
            if (cpus.size() < all.size()) {
                notes.add("note: the bound arms get " + Words.count(cpus.size(), "CPU") + " of " + all.size() + " ("
                        + cpus
                        + "): a command that fills more of them is slower there for that reason alone; give it that number"
                        + " of threads, or other options with --bound");
            }
        }
        return new BalanceArms(maker.arms, maker.absent, notes);
    }

    /** Number of CPUs of the bound arms; all allowed ones when only the start of a run tells them, as for a domain. */
    public static int boundCpus(Topology topology, String options) {
        return bound(options).run() instanceof PlannedRun run
                ? run.plan(topology).workerCpus(0).size()
                : topology.allowedCpuSet().size();
    }

    /** Why the bound arm is no other than the unbound one. */
    private static Optional<String> sameAsUnbound(Topology topology, UserArm bound) {
        if (!(bound.run() instanceof PlannedRun run)
                || CompareArms.nodes(topology) > 1
                || topology.allowedNodeSet().size() > 1
                || !run.placement().rules().isEmpty()
                || !run.threadChoice().equals(ThreadChoice.none())
                || !run.plan(topology).workerCpus(0).equals(topology.allowedCpuSet())) {
            return Optional.empty();
        }
        return Optional.of(": this machine has one NUMA node for CPUs " + topology.allowedCpuSet());
    }

    /** Collects the arms whose condition this user can have. */
    private static final class Maker {
        private final KernelSwitch off;
        private final Optional<String> obstacle;
        private final boolean isOnByItself;
        private final List<UserArm> arms = new ArrayList<>();
        private final List<String> absent = new ArrayList<>();

        Maker(KernelSwitch off) throws IOException {
            this.off = off;
            this.obstacle = off.obstacle();
            // Bit 0 moves pages and threads between nodes; a kernel without the setting does not.
            this.isOnByItself = Files.exists(off.setting()) && (Integer.parseInt(off.present()) & 1) != 0;
        }

        void add(String name, UserArm arm, boolean balancing) {
            UserArm named = new UserArm(name, arm.environment(), arm.run(), arm.words(), List.of());
            if (obstacle.isEmpty()) {
                KernelSwitch wanted = balancing ? new KernelSwitch(off.setting(), "1", off.note()) : off;
                arms.add(named.under(new KernelCondition(name, List.of(wanted))));
            } else if (balancing == isOnByItself) {
                arms.add(named);
            } else {
                absent.add(name + ": " + obstacle.get());
            }
        }
    }
}
