package org.berth.cli.run;

import java.util.Optional;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.cli.plan.Placement;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.placement.AffinityLevel;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * A part of the host that a command takes without a lease: the first of its kind.
 *
 * @param count how many cores; 1 for the others
 * @param cpus for a domain that is a list of CPUs
 */
public record FirstPart(AffinityLevel level, int count, Optional<CpuSet> cpus) {
    /** Begins a domain that is a list of CPUs. */
    static final String CPUS = "cpus:";

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

    /** A usage error for CPUs that this process may not use, or for more cores than there are. */
    public void require(Topology topology) {
        cpus.ifPresent(list -> Arguments.allowedCpus(list, topology));
        int cores = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.CORE)
                .size();
        if (level == AffinityLevel.CORE && cores > 0 && count > cores) {
            throw CommandException.usage("--domain core:" + count + ": there are " + cores + " cores that may be used");
        }
    }

    /** Its CPUs on a machine; a usage error for CPUs that this process may not use. */
    CpuSet on(Topology topology) {
        require(topology);
        return cpus.map(list -> Arguments.allowedCpus(list, topology))
                .orElseGet(() ->
                        PlannedRun.of(Placement.of(level), count).plan(topology).workerCpus(0));
    }
}
