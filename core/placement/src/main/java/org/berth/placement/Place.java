package org.berth.placement;

import java.util.List;
import java.util.stream.Stream;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.TopologyObject;

/**
 * What a policy gives to a thread. Threads that get the same place share this very object, so it is compared by identity.
 */
final class Place {
    final String reason;
    final Domain home;
    final CpuSet cpus;
    /** Threads that fit without sharing what this policy would give to one alone. */
    final int capacity;
    /** What is shared when there are more: "core" or "PU". */
    final String unit;

    private Place(String reason, Domain home, CpuSet cpus, int capacity, String unit) {
        this.reason = reason;
        this.home = home;
        this.cpus = cpus;
        this.capacity = capacity;
        this.unit = unit;
    }

    /** All of a domain: its threads move freely inside, and each wants a PU. */
    static Place anywhereIn(Domain domain) {
        String reason = domain.label() + " (" + Domain.pus(domain.cpus()) + ")";
        return new Place(reason, domain, domain.cpus(), domain.cpus().size(), "PU");
    }

    static Place core(Core core, Domain home) {
        String reason = core.label() + " (" + Domain.pus(core.cpus()) + ") of " + home.label();
        return new Place(reason, home, core.cpus(), 1, "core");
    }

    static Place pu(Core core, int rank, Domain home) {
        int osIndex = core.pus().get(rank).osIndex();
        String pu = "PU L#" + core.pus().get(rank).logicalIndex();
        String owner = pu.equals(core.label()) ? "" : " of " + core.label();
        String reason = pu + " (P#" + osIndex + ")" + owner + " of " + home.label();
        return new Place(reason, home, CpuSet.of(osIndex), 1, "PU");
    }

    /** PUs that a thread has together, where groups of so many are made. */
    static Place group(List<TopologyObject> pus, int wanted, Domain home) {
        CpuSet cpus = Domain.cpusOf(pus);
        List<Integer> cores = pus.stream()
                .flatMap(pu -> pu.ancestor(ObjectType.CORE).map(Stream::of).orElseGet(Stream::empty))
                .map(TopologyObject::logicalIndex)
                .distinct()
                .toList();
        String owner = cores.isEmpty() ? "" : " of " + Domain.label("core", cores);
        String reason = Domain.pus(cpus) + owner + " of " + home.label();
        return new Place(reason, home, cpus, 1, wanted == 1 ? "PU" : "PU group");
    }

    /** The same place (for those who get it from now on) with more to say about it. */
    Place explained(String before, String after) {
        return new Place(before + reason + after, home, cpus, capacity, unit);
    }
}
