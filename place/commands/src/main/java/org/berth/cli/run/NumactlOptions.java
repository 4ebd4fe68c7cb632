package org.berth.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.plan.Placement;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.KernelLists;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** The words of numactl(8) for nodes and memory policies, with their meaning there; those for CPUs are names of {@code --cpus}. */
final class NumactlOptions {
    /** What they need and exclude. */
    static final List<OptionRule> RULES = List.of(
            OptionRule.excludes("--cpunodebind", "--cpus --near --policy", ""),
            OptionRule.excludes("--membind --interleave --preferred --localalloc", "--memory", ""),
            OptionRule.excludes("--membind", "--interleave --preferred --localalloc", "a process has one policy"),
            OptionRule.excludes("--interleave", "--preferred --localalloc", "a process has one policy"),
            OptionRule.excludes("--preferred", "--localalloc", "a process has one policy"),
            OptionRule.excludes(
                    "--domain", "--cpunodebind --membind --interleave --preferred --localalloc", "a lease chooses it"));

    @Option(
            names = {"-N", "--cpunodebind"},
            paramLabel = "NODES",
            description =
                    "As numactl: the CPUs of these nodes; a list, all, +LIST (of those allowed), !LIST (all others),"
                            + " or netdev:NAME.")
    private Optional<String> cpuNodes = Optional.empty();

    @Option(
            names = {"-m", "--membind"},
            paramLabel = "NODES",
            description = "As numactl: --memory bind:NODES.")
    private Optional<String> bind = Optional.empty();

    @Option(
            names = {"-i", "--interleave"},
            paramLabel = "NODES",
            description = "As numactl: --memory interleave:NODES.")
    private Optional<String> interleave = Optional.empty();

    @Option(
            names = {"-p", "--preferred", "-P", "--preferred-many"},
            paramLabel = "NODES",
            description = "As numactl: --memory prefer:NODES.")
    private Optional<String> prefer = Optional.empty();

    @Option(
            names = {"-l", "--localalloc"},
            description = "As numactl: --memory local.")
    private boolean local;

    boolean isGiven() {
        return cpuNodes.isPresent() || memory().isPresent() || local;
    }

    private Optional<String> memory() {
        return bind.or(() -> interleave).or(() -> prefer);
    }

    /** The placement with what they say; a usage error for nodes that the machine does not have. */
    Placement applyTo(Placement placement, Topology topology) {
        Placement chosen =
                cpuNodes.map(text -> placement.withCpus(cpus(text, topology))).orElse(placement);
        if (local) {
            return chosen.withMemory(MemoryArgument.parse("local"));
        }
        String mode = bind.isPresent() ? "bind" : interleave.isPresent() ? "interleave" : "prefer";
        String option = bind.isPresent() ? "--membind" : interleave.isPresent() ? "--interleave" : "--preferred";
        return memory().map(text -> chosen.withMemory(MemoryArgument.parse(mode + ":" + nodes(option, text, topology))))
                .orElse(chosen);
    }

    private static CpuSet cpus(String text, Topology topology) {
        CpuSet cpus = CpuSet.empty();
        List<Integer> without = new ArrayList<>();
        for (int node : nodes("--cpunodebind", text, topology).toArray()) {
            CpuSet own = topology.numaNode(node).orElseThrow().cpuSet().intersection(topology.allowedCpuSet());
            if (own.isEmpty()) {
                without.add(node);
            }
            cpus = cpus.union(own);
        }
        if (cpus.isEmpty()) {
            throw CommandException.usage("--cpunodebind " + text + ": this process may use no CPU of node "
                    + NodeSet.of(without.stream().mapToInt(Integer::intValue).toArray()) + "; its CPUs are "
                    + topology.allowedCpuSet());
        }
        return cpus;
    }

    private static NodeSet nodes(String option, String text, Topology topology) {
        NodeSet allowed = topology.allowedNodeSet().intersection(topology.nodeSet());
        Optional<String> device = KernelLists.device(option, text);
        NodeSet nodes = device.isPresent()
                ? topology.locality(topology.device(Arguments.device(option + " " + text, device.get(), topology))
                                .orElseThrow())
                        .nodes()
                        .intersection(allowed)
                : KernelLists.nodes(option, text, allowed);
        NodeSet outside = nodes.minus(allowed);
        if (!outside.isEmpty()) {
            throw CommandException.usage(option + " " + text + ": "
                    + (topology.nodeSet().intersects(outside)
                            ? "this process may not use node " + outside
                            : "there is no node " + outside + " here, or its cpuset hides it")
                    + "; choose from " + allowed);
        }
        return nodes;
    }
}
