package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.Arguments;
import org.berth.cli.shared.CommandException;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** Where running processes are to go; as for {@code run}, except that a list of CPUs may stand alone. */
final class BindOptions {
    @Option(names = "--cpus", paramLabel = "LIST", description = "These CPUs, for example 0-3,8.")
    private Optional<String> cpus = Optional.empty();

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "What each process gets: none (all that it may use), numa (one node), cpu (one package), or"
                    + " --threads times a core or pu (logical CPU). Several processes are dealt out over the machine.")
    private Optional<String> level = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "How many cores (level core) or logical CPUs (level pu) each process gets; default 1, with"
                    + " --rule as many as threads match.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--near",
            paramLabel = "DEVICE",
            description = "Only CPUs near this device: a name such as eth0, or a PCI bus id.")
    private Optional<String> near = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE",
            description = "local, bind, prefer or interleave, as for 'run'. From outside only the present pages can"
                    + " follow; the policy for new ones belongs to each thread, and this says so.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--rule",
            paramLabel = "GLOB",
            description = "Threads whose complete name matches (* and ?) get one slot each; may be repeated. Complete"
                    + " names come from the jcmd of a JDK.")
    private List<String> rules = new ArrayList<>();

    /** What is wrong whatever the machine is like. */
    void check() {
        if (level.isEmpty() && cpus.isEmpty()) {
            throw CommandException.usage("say where to: --cpus LIST, or --level with one of none, numa, cpu, core, pu");
        }
        if (near.isPresent() && level.isEmpty()) {
            throw CommandException.usage("--near needs --level: choose one of none, numa, cpu, core, pu");
        }
        level.ifPresent(Arguments::level);
        threads.ifPresent(count -> Arguments.count("--threads", count));
        memory();
    }

    Optional<MemoryMode> memory() {
        return memory.map(Arguments::memoryMode);
    }

    List<ThreadRule> rules() {
        return rules.stream().map(ThreadRule::of).toList();
    }

    /** A list without a level: the process gets exactly these CPUs. */
    boolean exactCpus() {
        return level.isEmpty();
    }

    /** Of a list without a level, threads that rules name get logical CPUs. */
    PlacementRequest request(Topology topology, int workers) {
        return new PlacementRequest(
                level.map(Arguments::level).orElse(AffinityLevel.PU),
                workers,
                threads.map(count -> Arguments.count("--threads", count)).orElse(1),
                cpus.map(text -> Arguments.cpus(text, topology)),
                near.map(name -> Arguments.device(name, topology)),
                memory().orElse(MemoryMode.LOCAL),
                List.of());
    }

    boolean threadsGiven() {
        return threads.isPresent();
    }
}
