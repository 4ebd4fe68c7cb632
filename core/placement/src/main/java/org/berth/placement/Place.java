package org.berth.placement;

import org.berth.topology.CpuSet;

/**
 * What a level gives to a thread. Threads that get the same place share this very object, so it is compared by identity.
 */
final class Place {
    final String reason;
    final Domain home;
    final CpuSet cpus;
    /** Threads that fit without sharing what this level would give to one alone. */
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
}
