package org.berth.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.KernelLists;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.RuleArgument;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** The placement options, which {@code plan} and {@code run} share. */
public final class PlacementOptions {
    private static final OrderedLevel NONE = OrderedLevel.of(AffinityLevel.NONE);
    private static final String HARDWARE_THREADS = "BERTH_HARDWARE_THREADS";

    /** What they need and exclude. */
    public static final List<OptionRule> RULES = List.of(
            OptionRule.excludes("--level", "--policy", ""),
            OptionRule.needs(
                    "--policy=o2nts|o2acs|o2ocs|o2ntc|o2occ",
                    "--near",
                    "a name such as eth0, or a PCI bus id; 'berth topo' shows them"),
            OptionRule.needs("--hardware-threads", "--policy=o2nts|o2ntc", "the others give whole cores"));

    // Not "required" for picocli, which would report a missing --level before a misspelt option.
    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description =
                    "How tight the place of each thread is: none (all CPUs), numa (a node), package, l3 (an L3 cache),"
                            + " core, or pu (a hardware thread of a core). Threads of a worker fill one L3"
                            + " cache before the next (l3, l3-pack), or take them in turn (l3-spread, core-spread, pu-spread;"
                            + " with -spread-all unlike ones too). Rules name the threads; or --threads says how many places there are"
                            + " in all.")
    private Optional<String> level = Optional.empty();

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description =
                    "Instead of --level, for threads that serve the --near device: o2nts (N PUs each), o2ocs (a core"
                            + " each) or o2acs (all cores) of its package; o2ntc or o2occ, the same over all packages, near ones"
                            + " first.")
    private Optional<String> policy = Optional.empty();

    @Option(
            names = "--hardware-threads",
            paramLabel = "N",
            description = "Number N of PUs for each thread under o2nts and o2ntc; default: $" + HARDWARE_THREADS + ","
                    + " otherwise derived from the machine.")
    private Optional<String> hardwareThreads = Optional.empty();

    @Option(
            names = "--near",
            paramLabel = "DEVICE",
            description = "Only CPUs near this device: a name such as eth0, or a PCI bus id.")
    private Optional<String> near = Optional.empty();

    @Option(
            names = {"-c", "-C", "--cpus", "--physcpubind"},
            paramLabel = "LIST",
            description = "Only these CPUs: 0-3,8, all, +0-1 (of those allowed) or !0 (all others).")
    private Optional<String> cpus = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE[:NODES]|tier:KIND",
            description =
                    "Where new pages go: local (the kernel's choice; without this option an inherited policy stays), bind, prefer, interleave, weighted"
                            + " (by the kernel's weights), bind-balance or prefer-balance (NUMA balancing moves them"
                            + " among the nodes). NODES is a list such as 0 or 0-1 (default: the nodes near the CPUs);"
                            + " tier:KIND binds to the nodes of a memory tier in their package, such as dram or hbm,"
                            + " and MODE:tier:KIND uses them in another way.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--rule",
            paramLabel = "GLOB",
            description =
                    "Threads whose name matches (* and ?) get a slot each, without --level a PU; may be repeated.")
    private List<String> rules = new ArrayList<>();

    /** The memory mode and rules of a process that gets a domain; a usage error for nodes. */
    public Placement withoutCpus() {
        if (memory().hasPlace()) {
            throw CommandException.usage(
                    "--memory " + memory.orElseThrow() + ": a domain has memory nodes of its own,"
                            + " and is chosen when the command starts; give the mode alone, or give --cpus or --level instead of --domain");
        }
        return placement(NONE, Optional.empty());
    }

    /** The values of the options; a usage error when they contradict each other. */
    public Placement placement() {
        rules.forEach(RuleArgument::glob);
        return placement(false, false);
    }

    /**
     * The same.
     *
     * @param hasRules whether other options name threads, which without a level get a PU each
     * @param hasPlace whether other options choose CPUs or memory, so that no level is necessary
     */
    public Placement placement(boolean hasRules, boolean hasPlace) {
        Optional<DeviceChoice> device = device();
        if (device.isPresent()) {
            return placement(NONE, device);
        }
        if (level.isEmpty() && (hasRules || !rules.isEmpty())) {
            return placement(OrderedLevel.of(AffinityLevel.PU), device);
        }
        return placement(level.isEmpty() && hasPlace ? NONE : level(), device);
    }

    private Placement placement(OrderedLevel chosen, Optional<DeviceChoice> device) {
        return new Placement(
                chosen,
                device,
                cpus.map(Arguments::cpus),
                near,
                memory(),
                rules.stream().map(RuleArgument::globOrTarget).toList());
    }

    /** The value of {@code --level}, if it is given. */
    public Optional<OrderedLevel> givenLevel() {
        return level.map(Arguments::level);
    }

    /** Whether any option asks for a part of the machine. */
    public boolean choosesCpus() {
        return level.isPresent()
                || policy.isPresent()
                || cpus.isPresent()
                || near.isPresent()
                || memory.isPresent()
                || !rules.isEmpty();
    }

    /** A usage error for CPUs that only this machine can tell. */
    void requireForOtherMachine(Optional<String> topology) {
        KernelLists.requireNoRelative(cpus, topology);
    }

    /** The value of {@code --policy}, unchecked. */
    Optional<String> policyWord() {
        return policy;
    }

    /** The allowed CPUs of a machine, or those of {@code --cpus}. */
    CpuSet usable(Topology topology) {
        return cpus.map(text -> Arguments.allowedCpus(Arguments.cpus(text), topology))
                .orElseGet(topology::allowedCpuSet);
    }

    /** The policy near a device, if one is asked for. */
    private Optional<DeviceChoice> device() {
        return policy.map(Arguments::policy)
                .map(chosen -> new DeviceChoice(chosen, near.orElseThrow(), hardwareThreads(chosen)));
    }

    private int hardwareThreads(DevicePolicy chosen) {
        if (hardwareThreads.isPresent()) {
            return Arguments.count("--hardware-threads", hardwareThreads.get());
        }
        String variable = System.getenv().getOrDefault(HARDWARE_THREADS, "");
        return variable.isEmpty() || !chosen.countsHardwareThreads() ? 0 : Arguments.count(HARDWARE_THREADS, variable);
    }

    private MemoryArgument memory() {
        return memory.map(MemoryArgument::parse).orElseGet(() -> MemoryArgument.of(MemoryMode.LOCAL));
    }

    /**
     * Returns the level; none is necessary with a list of CPUs, a device or a memory mode, as with taskset and numactl.
     */
    private OrderedLevel level() {
        if (level.isPresent()) {
            return Arguments.level(level.get());
        }
        if (cpus.isEmpty() && near.isEmpty() && memory.isEmpty()) {
            throw CommandException.usage(
                    "--level is missing: choose one of none, numa, package, l3, core, pu, or give --cpus,"
                            + " --near, --memory or --policy");
        }
        return NONE;
    }
}
