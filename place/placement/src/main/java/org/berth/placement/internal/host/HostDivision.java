package org.berth.placement.internal.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.placement.ThreadOrder;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * How a host is divided into domains for executors (processes that run tasks) of one size, and at which level tasks are bound inside.
 * A pure function of the machine and the executor; which domain each executor gets is decided by leases.
 *
 * @param level how tasks are bound; {@link AffinityLevel#NONE} binds nothing at all
 * @param domains a plan with a worker for each domain of the host; one of them is for this executor
 * @param reason why, as one line for people
 */
public record HostDivision(OrderedLevel level, PlacementPlan domains, String reason) {
    /** Tasks on L3 caches as evenly as the kernel would balance them, whatever their sizes. */
    private static final OrderedLevel EVEN = new OrderedLevel(AffinityLevel.L3, ThreadOrder.SPREAD_ALL);

    /**
     * Divides a host.
     *
     * @param wanted the level; empty: choose one that is not slower than no binding
     * @param executorCpus CPUs that an executor's tasks need; 0 for all
     * @param alone whether the allowed set is for this executor alone, so that nothing is divided
     */
    public static HostDivision of(Topology topology, Optional<OrderedLevel> wanted, int executorCpus, boolean alone) {
        int all = topology.allowedCpuSet().size();
        int cpus = executorCpus == 0 ? all : Math.min(executorCpus, all);
        OrderedLevel level = wanted.orElseGet(() -> automatic(topology));
        return switch (level.level()) {
            case NONE ->
                new HostDivision(level, whole(topology, level.level()), wanted.isPresent() ? "as set" : why(topology));
            case NUMA, PACKAGE -> byDomain(topology, level, level.level(), cpus, alone, wanted.isEmpty());
            case L3 -> byCache(topology, level, cpus, alone, wanted.isEmpty());
            case CORE, PU -> byCores(topology, level, cpus, alone);
        };
    }

    /** The level of domains between which distance costs something; docs/background/spark.md has the argument. */
    private static OrderedLevel automatic(Topology topology) {
        if (CacheGroups.areFinerThanNodes(topology)) {
            return EVEN;
        }
        return OrderedLevel.of(outer(topology));
    }

    /** Nodes where there are several, else packages where there are several. */
    private static AffinityLevel outer(Topology topology) {
        if (domains(topology, AffinityLevel.NUMA).size() > 1) {
            return AffinityLevel.NUMA;
        }
        return domains(topology, AffinityLevel.PACKAGE).size() > 1 ? AffinityLevel.PACKAGE : AffinityLevel.NONE;
    }

    private static String why(Topology topology) {
        return "auto binds nothing here, because CPUs " + topology.allowedCpuSet()
                + " are one package with one memory node and no several L3 caches, where the kernel loses nothing by"
                + " migrating threads; level core keeps each task on a core of its own";
    }

    /** The CPUs for threads of which each may have a whole core at levels core and pu: no one has counted hardware threads. */
    public static int cpusFor(Topology topology, AffinityLevel level, int threads) {
        boolean byCore = level == AffinityLevel.CORE || level == AffinityLevel.PU;
        int widest = CorePus.of(topology, topology.allowedCpuSet()).stream()
                .mapToInt(List::size)
                .max()
                .orElse(1);
        return byCore ? threads * widest : threads;
    }

    private static HostDivision byCache(
            Topology topology, OrderedLevel level, int cpus, boolean alone, boolean careful) {
        int caches = domains(topology, AffinityLevel.L3).size();
        if (caches == 1) {
            return new HostDivision(level, whole(topology, level.level()), "there is one L3 cache");
        }
        Optional<CacheGroups> groups =
                alone ? Optional.empty() : CacheGroups.of(topology, cpus).filter(found -> !careful || found.fit());
        if (groups.isPresent()) {
            int each = groups.get().each();
            return new HostDivision(
                    level,
                    plan(topology, level.level(), groups.get().domains()),
                    "each executor has " + (each == 1 ? "one L3 cache" : each + " L3 caches of one memory node"));
        }
        AffinityLevel outer = outer(topology);
        if (outer == AffinityLevel.NONE || alone) {
            String why = alone
                    ? "it has this domain for itself"
                    : "executors of " + cpus + " CPUs do not fit into L3 caches of their own";
            return new HostDivision(
                    level,
                    whole(topology, level.level()),
                    why + "; its tasks are spread over the " + caches + " L3 caches");
        }
        return byDomain(topology, level, outer, cpus, false, careful);
    }

    /** @param level of the tasks: that of the domains, or l3 */
    private static HostDivision byDomain(
            Topology topology, OrderedLevel level, AffinityLevel by, int cpus, boolean alone, boolean careful) {
        List<CpuSet> domains = domains(topology, by);
        String noun = by == AffinityLevel.NUMA ? "memory node" : "package";
        if (domains.size() == 1) {
            return new HostDivision(level, whole(topology, by), "there is one " + noun);
        }
        String parts = level.level() == AffinityLevel.L3
                ? domains(topology, AffinityLevel.L3).size() + " L3 caches"
                : domains.size() + " " + noun + "s";
        String spread = "; its tasks are spread over the " + parts;
        if (alone) {
            return new HostDivision(level, whole(topology, by), "it has this domain for itself" + spread);
        }
        int smallest = domains.stream().mapToInt(CpuSet::size).min().orElseThrow();
        if (cpus > smallest) {
            return new HostDivision(
                    level, whole(topology, by), "it runs tasks on more CPUs than one " + noun + " has" + spread);
        }
        int many = topology.allowedCpuSet().size() / cpus;
        if (careful && many > domains.size() * (smallest / cpus)) {
            String what = many + " executors of " + cpus + " CPUs fit on this host but not into its " + noun + "s";
            return new HostDivision(level, whole(topology, by), what + spread);
        }
        String inside = level.level() == AffinityLevel.L3 ? "; its tasks are spread over the L3 caches of that" : "";
        return new HostDivision(
                level, plan(topology, level.level(), domains), "each executor has one " + noun + inside);
    }

    private static HostDivision byCores(Topology topology, OrderedLevel level, int cpus, boolean alone) {
        CpuSet allowed = topology.allowedCpuSet();
        int many = alone ? 1 : allowed.size() / cpus;
        if (many <= 1) {
            String why = alone ? "it has this domain for itself" : "an executor of this size has the host for itself";
            return new HostDivision(level, whole(topology, level.level()), why);
        }
        return new HostDivision(
                level,
                plan(topology, level.level(), cut(CorePus.of(topology, allowed), many)),
                many + " executors of " + cpus + " CPUs fit on this host");
    }

    /** Cuts cores into runs of neighbours of almost equal size; whole cores where there are enough of them. */
    private static List<CpuSet> cut(List<List<CpuSet>> cores, int domains) {
        List<List<CpuSet>> pieces = domains <= cores.size()
                ? cores
                : cores.stream().flatMap(List::stream).map(List::of).toList();
        int all = pieces.stream().mapToInt(List::size).sum();
        List<CpuSet> result = new ArrayList<>();
        CpuSet domain = CpuSet.empty();
        int taken = 0;
        for (int i = 0; i < pieces.size(); i++) {
            for (CpuSet pu : pieces.get(i)) {
                domain = domain.union(pu);
                taken++;
            }
            int missing = domains - result.size() - 1;
            boolean full = (long) taken * domains >= (long) (result.size() + 1) * all;
            boolean needed = pieces.size() - i - 1 <= missing;
            if (missing == 0 ? i + 1 == pieces.size() : full || needed) {
                result.add(domain);
                domain = CpuSet.empty();
            }
        }
        return result;
    }

    /** The domains of a level on this machine; CPUs without a node, such as an offline one, are one more domain. */
    public static List<CpuSet> domains(Topology topology, AffinityLevel level) {
        CpuSet allowed = topology.allowedCpuSet().intersection(topology.cpuSet());
        List<CpuSet> domains = PlacementPolicies.domains(topology, level);
        CpuSet rest = allowed.minus(domains.stream().reduce(CpuSet.empty(), CpuSet::union));
        return Stream.concat(domains.stream(), rest.isEmpty() ? Stream.of() : Stream.of(rest))
                .toList();
    }

    /** A plan with one domain: all that may be used. */
    static PlacementPlan whole(Topology topology, AffinityLevel level) {
        return plan(topology, level, List.of(topology.allowedCpuSet().intersection(topology.cpuSet())));
    }

    /** A plan with one worker for each domain. */
    public static PlacementPlan plan(Topology topology, AffinityLevel level, List<CpuSet> domains) {
        List<Slot> slots = new ArrayList<>();
        for (CpuSet cpus : domains) {
            int index = slots.size();
            slots.add(Slot.of(index, cpus)
                    .withThread(index, 0)
                    .withMemoryNodes(topology.nodesOf(cpus))
                    .withReason("domain " + index + " of this host"));
        }
        return PlacementPlan.of(level, MemoryMode.LOCAL, topology.allowedCpuSet(), slots);
    }
}
