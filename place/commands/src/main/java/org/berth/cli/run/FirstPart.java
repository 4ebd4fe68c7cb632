package org.berth.cli.run;

import java.util.Optional;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.cli.plan.Placement;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.placement.AffinityLevel;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * A part of the host that a command takes without a lease: the first of its kind.
 *
 * @param count how many cores; 1 for the others
 * @param cpus for a domain that is a list of CPUs
 */
public record FirstPart(AffinityLevel level, int count, Optional<CpuSet> cpus) {
    private static final String CPUS = "cpus:";
    private static final String CORES = "core:";

    /** Parses a kind of domain; a usage error for one that does not exist. */
    public static FirstPart parse(String kind) {
        try {
            DomainRequest.of(kind);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--" + e.getMessage());
        }
        if (kind.startsWith(CPUS)) {
            return new FirstPart(AffinityLevel.NONE, 1, Optional.of(Arguments.cpus(kind.substring(CPUS.length()))));
        }
        if (kind.startsWith(CORES)) {
            return new FirstPart(
                    AffinityLevel.CORE, Integer.parseInt(kind.substring(CORES.length())), Optional.empty());
        }
        return new FirstPart(Arguments.level(kind).level(), 1, Optional.empty());
    }

    /** Its CPUs on a machine; a usage error for CPUs that this process may not use. */
    CpuSet on(Topology topology) {
        return cpus.map(list -> Arguments.allowedCpus(list, topology))
                .orElseGet(() ->
                        PlannedRun.of(Placement.of(level), count).plan(topology).workerCpus(0));
    }
}
