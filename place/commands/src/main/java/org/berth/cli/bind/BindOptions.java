package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.MemoryPlace;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** The options of {@code bind} that choose CPUs and memory nodes, with the meaning that they have for {@code run}. */
final class BindOptions {
    @Option(names = "--cpus", paramLabel = "LIST", description = "These CPUs, for example 0-3,8.")
    private Optional<String> cpus = Optional.empty();

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "The part of the machine that each process gets: none (all allowed CPUs), numa (a node),"
                    + " package, l3 (an L3 cache), core or pu (T of them, see --threads). Several processes are"
                    + " distributed over the machine.")
    private Optional<String> level = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "Number of cores (level core) or PUs (level pu) for each process; default: 1, with --rule one"
                    + " for each matching thread.")
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
        if (level.isEmpty() && cpus.isEmpty() && near.isEmpty()) {
            throw CommandException.usage(
                    "no CPUs are chosen: give --cpus LIST, --near DEVICE, or --level with one of none,"
                            + " numa, package, l3, core, pu");
        }
        level.ifPresent(Arguments::level);
        threads.ifPresent(count -> Arguments.count("--threads", count));
        memory();
    }

    Optional<MemoryArgument> memory() {
        return memory.map(MemoryArgument::parse);
    }

    List<ThreadRule> rules() {
        return rules.stream().map(ThreadRule::of).toList();
    }

    /** Without a level each process gets all the chosen CPUs. */
    boolean withoutLevel() {
        return level.isEmpty();
    }

    /** Without a level, threads that rules name get PUs of the chosen CPUs. */
    PlacementRequest request(Topology topology, int workers) {
        OrderedLevel chosen = level.map(Arguments::level).orElse(OrderedLevel.of(AffinityLevel.PU));
        PlacementRequest request = PlacementRequest.of(
                        chosen.level(),
                        workers,
                        threads.map(count -> Arguments.count("--threads", count))
                                .orElse(1))
                .withLevel(chosen)
                .withMemory(
                        memory().map(MemoryArgument::mode).orElse(MemoryMode.LOCAL),
                        memory().map(argument -> argument.place(topology)).orElse(MemoryPlace.NEAR));
        return Arguments.within(request, cpus.map(Arguments::cpus), near, topology);
    }

    boolean threadsGiven() {
        return threads.isPresent();
    }
}
