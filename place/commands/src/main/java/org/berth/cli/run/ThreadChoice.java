package org.berth.cli.run;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.cli.shared.CommandException;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementException;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * What the options of single threads ask for.
 *
 * @param options the same for the agent
 * @param heap where the pages of the heap go; it may need the machine
 * @param targets their targets, as far as the command line and the file of rules name them
 */
public record ThreadChoice(AgentOptions options, Optional<HeapPolicy> heap, List<ThreadTarget> targets) {
    public ThreadChoice {
        targets = List.copyOf(targets);
    }

    /** No option for single threads. */
    public static ThreadChoice none() {
        return new ThreadChoice(AgentOptions.none(), Optional.empty(), List.of());
    }

    ThreadChoice and(ThreadChoice others) {
        return new ThreadChoice(
                options.and(others.options),
                heap.or(() -> others.heap),
                Stream.concat(targets.stream(), others.targets.stream()).toList());
    }

    /** The same with slots of this level, core or PU, inside the CPUs that a process gets. */
    public ThreadChoice withSlots(AffinityLevel level) {
        return level == AffinityLevel.CORE ? new ThreadChoice(options.withCoreSlots(), heap, targets) : this;
    }

    /** The agent's options for a process with these CPUs; a usage error when the machine lacks the tier of its heap there. */
    public AgentOptions options(Topology topology, CpuSet cpus) {
        try {
            return heap.map(policy -> options.withHeap(policy.on(topology, cpus).toString()))
                    .orElse(options);
        } catch (PlacementException e) {
            throw CommandException.usage("--heap-memory " + heap.orElseThrow() + ": " + e.getMessage());
        }
    }

    /** The same for a domain, which a lease chooses when the command starts; a usage error for a tier. */
    AgentOptions optionsOfDomain() {
        if (heap.isPresent() && heap.get().hasTier()) {
            throw CommandException.usage("--heap-memory " + heap.get() + ": a lease chooses the domain when the command"
                    + " starts, and the nodes of a tier are looked up before; name nodes, or give --level or --cpus"
                    + " instead of --domain");
        }
        return heap.map(policy -> options.withHeap(policy.toString())).orElse(options);
    }

    /** Whether rules, presets or targets name threads. */
    public boolean hasRules() {
        return !options.isEmpty();
    }

    boolean isNumbered() {
        return targets.stream().anyMatch(ThreadTarget::isNumbered);
    }

    /** A usage error for slots or CPUs that the command does not get. */
    public void require(int slots, CpuSet cpus) {
        targets.forEach(target -> target.require(slots, cpus));
    }
}
