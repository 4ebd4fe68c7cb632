package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** How to place: the options that {@code plan} and {@code run} share. */
final class PlacementOptions {
    // Not "required" for picocli: it would complain of a missing --level before an option that is misspelt.
    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "What a thread gets for itself; must be given: none, numa (node), cpu (package), core, or pu"
                    + " (logical CPU).")
    private Optional<String> level = Optional.empty();

    @Option(
            names = "--near",
            paramLabel = "DEVICE",
            description = "Only CPUs near this device: a name such as eth0, or a PCI bus id.")
    private Optional<String> near = Optional.empty();

    @Option(names = "--cpus", paramLabel = "LIST", description = "Only these CPUs, for example 0-3,8.")
    private Optional<String> cpus = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE",
            defaultValue = "local",
            description = "Where memory comes from: local (the kernel's choice, the default), bind, prefer or"
                    + " interleave over the nodes near the CPUs.")
    private String memory = "local";

    @Option(
            names = "--rule",
            paramLabel = "GLOB",
            description = "Threads whose name matches (* and ?) get a place of their own; may be repeated.")
    private List<String> rules = new ArrayList<>();

    AffinityLevel level() {
        return level.map(Arguments::level)
                .orElseThrow(
                        () -> CommandException.usage("--level is missing: choose one of none, numa, cpu, core, pu"));
    }

    /** The request that the options describe, checked against the machine. */
    PlacementRequest request(Topology topology, int workers, int threadsPerWorker) {
        List<ThreadRule> threadRules = new ArrayList<>();
        for (String glob : rules) {
            threadRules.add(ThreadRule.of(glob));
        }
        return new PlacementRequest(
                level(),
                workers,
                threadsPerWorker,
                cpus.map(text -> Arguments.cpus(text, topology)),
                near.map(name -> Arguments.device(name, topology)),
                Arguments.memoryMode(memory),
                List.copyOf(threadRules));
    }
}
