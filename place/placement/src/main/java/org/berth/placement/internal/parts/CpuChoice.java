package org.berth.placement.internal.parts;

import java.util.List;
import java.util.stream.Stream;
import org.berth.topology.CpuSet;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * CPUs that a policy gives to a thread. Threads that get the same ones share this very object, so it is compared by identity.
 */
public final class CpuChoice {
    public final String reason;
    public final HostPart domain;
    public final CpuSet cpus;
    /** Threads that fit without sharing what this policy would give to one alone. */
    public final int capacity;
    /** The unit that is shared when there are more: "core" or "PU". */
    public final String unit;

    private CpuChoice(String reason, HostPart domain, CpuSet cpus, int capacity, String unit) {
        this.reason = reason;
        this.domain = domain;
        this.cpus = cpus;
        this.capacity = capacity;
        this.unit = unit;
    }

    /** All of a domain: its threads move freely inside, and each wants a PU. */
    public static CpuChoice anywhereIn(HostPart domain) {
        String reason = domain.label() + " (" + HostPart.pus(domain.cpus()) + ")";
        return new CpuChoice(reason, domain, domain.cpus(), domain.cpus().size(), "PU");
    }

    public static CpuChoice core(Core core, HostPart domain) {
        String reason = core.label() + " (" + HostPart.pus(core.cpus()) + ") of " + domain.label();
        return new CpuChoice(reason, domain, core.cpus(), 1, "core");
    }

    public static CpuChoice pu(Core core, int rank, HostPart domain) {
        int osIndex = core.pus().get(rank).osIndex();
        String pu = "PU L#" + core.pus().get(rank).logicalIndex();
        String owner = pu.equals(core.label()) ? "" : " of " + core.label();
        String reason = pu + " (P#" + osIndex + ")" + owner + " of " + domain.label();
        return new CpuChoice(reason, domain, CpuSet.of(osIndex), 1, "PU");
    }

    /** PUs that a thread has together, in groups of the wanted size. */
    public static CpuChoice group(List<TopologyObject> pus, int wanted, HostPart domain) {
        CpuSet cpus = HostPart.cpusOf(pus);
        List<Integer> cores = pus.stream()
                .flatMap(pu -> pu.ancestor(ObjectType.CORE).map(Stream::of).orElseGet(Stream::empty))
                .map(TopologyObject::logicalIndex)
                .distinct()
                .toList();
        String owner = cores.isEmpty() ? "" : " of " + HostPart.label("core", cores);
        String reason = HostPart.pus(cpus) + owner + " of " + domain.label();
        return new CpuChoice(reason, domain, cpus, 1, wanted == 1 ? "PU" : "PU group");
    }

    /** The same CPUs with a longer reason. */
    public CpuChoice explained(String before, String after) {
        return new CpuChoice(before + reason + after, domain, cpus, capacity, unit);
    }
}
