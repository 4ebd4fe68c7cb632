package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.plan.LevelReading;
import org.berth.cli.run.FirstPart;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.RuleArgument;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.MemoryPlace;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** The options of {@code bind} that choose CPUs and memory nodes, with the meaning that they have for {@code run}. */
final class BindOptions {
    /** What they need and exclude. */
    static final List<OptionRule> RULES = List.of(
            OptionRule.excludes("--domain", "--cpus --near", "each says where the processes may run"),
            OptionRule.excludes("--domain", "--threads", "core:K gives K cores"),
            OptionRule.needs("--threads", "--level", "it counts the places of a level"));

    @Option(
            names = {"-c", "-C", "--cpus"},
            paramLabel = "LIST",
            description = "These CPUs: 0-3,8, all, +0-1 or !0.")
    private Optional<String> cpus = Optional.empty();

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description =
                    "The part of the host that each process gets: numa (a node), package, l3 (a cache) or core:K (K"
                            + " cores). Several processes get different ones, and those first of which no CPU is leased; a running process"
                            + " gets no lease itself.")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description =
                    "How tight the place of each thread is that --rule names: numa (a node), package, l3 (an L3 cache), core,"
                            + " or pu (the default); with --threads, of each process as a whole.")
    private Optional<String> level = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "T",
            description =
                    "How many places of --level each process gets as a whole, such as four cores; default: one for each"
                            + " thread that --rule names.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--near",
            paramLabel = "DEVICE",
            description = "Only CPUs near this device: a name such as eth0, or a PCI bus id.")
    private Optional<String> near = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE[:NODES]|tier:KIND",
            description = "A mode as for 'run', such as bind. Only present pages migrate, to NODES (default: the nodes"
                    + " near the CPUs); the policy for new pages cannot be changed.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--rule",
            paramLabel = "GLOB",
            description =
                    "Threads whose complete name matches (* and ?) get a slot each; may be repeated. Complete names"
                            + " are read with a JDK's jcmd.")
    private List<String> rules = new ArrayList<>();

    /** Reports usage errors that can be detected before the topology is read. */
    void check() {
        if (level.isEmpty() && cpus.isEmpty() && near.isEmpty() && domain.isEmpty() && rules.isEmpty()) {
            throw CommandException.usage(
                    "where may the processes run? Give --domain, --cpus or --near; for places of single"
                            + " threads, --rule with --level");
        }
        domain();
        Optional<OrderedLevel> chosen = level.map(Arguments::level);
        threads.ifPresent(count -> Arguments.count("--threads", count));
        if (threads.isEmpty()) {
            chosen.ifPresent(one -> LevelReading.requireOne(one, !rules.isEmpty()));
        }
        memory();
    }

    /** A usage error with the remedy for CPUs that a process may not use now, because something bound it before. */
    void requireAllowed(Topology topology, int pid) {
        CpuSet outside = cpus.map(Arguments::cpus)
                .filter(list -> !list.isInfinite())
                .map(list -> list.intersection(topology.cpuSet()).minus(topology.allowedCpuSet()))
                .orElseGet(CpuSet::empty);
        if (!outside.isEmpty()) {
            throw CommandException.usage("--cpus " + cpus.orElseThrow() + ": process " + pid + " may not use CPU "
                    + outside + "; choose from " + topology.allowedCpuSet()
                    + ", or give it all CPUs of its cpuset first:"
                    + " berth unbind --to-cpuset " + pid);
        }
    }

    /** The part of the host that each process gets, if one is asked for. */
    Optional<FirstPart> domain() {
        return domain.map(FirstPart::parse);
    }

    Optional<MemoryArgument> memory() {
        return memory.map(MemoryArgument::parse);
    }

    List<ThreadRule> rules() {
        return rules.stream().map(RuleArgument::glob).toList();
    }

    /** Without a level each process gets all the chosen CPUs; so it does when the level is that of its threads. */
    boolean withoutLevel() {
        return level.isEmpty();
    }

    /** The parts of the host, one for each process; for a domain only. */
    PlacementRequest parts(Topology topology, FirstPart part, int workers) {
        return withMemory(PlacementRequest.of(part.level(), workers, part.count()), topology);
    }

    /** Without a level, threads that rules name get PUs of the chosen CPUs. */
    PlacementRequest request(Topology topology, int workers) {
        OrderedLevel chosen = level.map(Arguments::level).orElse(OrderedLevel.of(AffinityLevel.PU));
        PlacementRequest request = PlacementRequest.of(
                        chosen.level(),
                        workers,
                        threads.map(count -> Arguments.count("--threads", count))
                                .orElse(1))
                .withLevel(chosen);
        return Arguments.within(withMemory(request, topology), cpus.map(Arguments::cpus), near, topology);
    }

    private PlacementRequest withMemory(PlacementRequest request, Topology topology) {
        return request.withMemory(
                memory().map(MemoryArgument::mode).orElse(MemoryMode.LOCAL),
                memory().map(argument -> argument.place(topology)).orElse(MemoryPlace.NEAR));
    }

    boolean threadsGiven() {
        return threads.isPresent();
    }
}
