package org.berth.spark.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.spark.settings.AffinitySettings;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * Into which parts a host is cut for executors of one size, and how tightly tasks sit in their part. A pure function of
 * the machine and the executor; which part it becomes, executors agree on by leases.
 *
 * @param level how tasks are bound; {@link AffinityLevel#NONE} binds nothing at all
 * @param parts a worker for each part of the host; one of them is this executor's
 * @param reason why so, for people
 */
record ExecutorShare(AffinityLevel level, PlacementPlan parts, String reason) {
    /**
     * The share of an executor.
     *
     * @param wanted empty: choose what is not slower than no binding
     * @param executorCpus CPUs for its tasks; 0 for all
     * @param alone whether the allowed set is this executor's alone, so that there is nothing to share out
     */
    static ExecutorShare of(Topology topology, Optional<AffinityLevel> wanted, int executorCpus, boolean alone) {
        int all = topology.allowedCpuSet().size();
        int cpus = executorCpus == 0 ? all : Math.min(executorCpus, all);
        AffinityLevel level = wanted.orElseGet(() -> automatic(topology));
        return switch (level) {
            case NONE ->
                new ExecutorShare(level, whole(topology, level), wanted.isPresent() ? "as set" : why(topology));
            case NUMA, CPU -> byDomain(topology, level, cpus, alone, wanted.isEmpty());
            case CORE, PU -> byShare(topology, level, cpus, alone);
        };
    }

    /** Only domains whose distance costs something; see docs/engines/spark.md for the argument. */
    private static AffinityLevel automatic(Topology topology) {
        if (domains(topology, AffinityLevel.NUMA).size() > 1) {
            return AffinityLevel.NUMA;
        }
        return domains(topology, AffinityLevel.CPU).size() > 1 ? AffinityLevel.CPU : AffinityLevel.NONE;
    }

    private static String why(Topology topology) {
        return "auto binds nothing here, because CPUs " + topology.allowedCpuSet()
                + " are one package with one memory node, where the kernel loses nothing by moving threads; "
                + AffinitySettings.LEVEL + "=core keeps each task on a core of its own";
    }

    private static ExecutorShare byDomain(
            Topology topology, AffinityLevel level, int cpus, boolean alone, boolean careful) {
        List<CpuSet> domains = domains(topology, level);
        String noun = level == AffinityLevel.NUMA ? "memory node" : "package";
        if (domains.size() == 1) {
            return new ExecutorShare(level, whole(topology, level), "there is one " + noun);
        }
        String spread = "; its tasks are spread over the " + domains.size() + " " + noun + "s";
        if (alone) {
            return new ExecutorShare(level, whole(topology, level), "this place is its own" + spread);
        }
        int smallest = domains.stream().mapToInt(CpuSet::size).min().orElseThrow();
        if (cpus > smallest) {
            return new ExecutorShare(
                    level, whole(topology, level), "it runs tasks on more CPUs than one " + noun + " has" + spread);
        }
        int many = topology.allowedCpuSet().size() / cpus;
        if (careful && many > domains.size() * (smallest / cpus)) {
            String what = many + " executors of " + cpus + " CPUs fit on this host but not into its " + noun + "s";
            return new ExecutorShare(level, whole(topology, level), what + spread);
        }
        return new ExecutorShare(level, plan(topology, level, domains), "each executor has one " + noun);
    }

    private static ExecutorShare byShare(Topology topology, AffinityLevel level, int cpus, boolean alone) {
        CpuSet allowed = topology.allowedCpuSet();
        int many = alone ? 1 : allowed.size() / cpus;
        if (many <= 1) {
            String why = alone ? "this place is its own" : "an executor of this size has the host for itself";
            return new ExecutorShare(level, whole(topology, level), why);
        }
        return new ExecutorShare(
                level,
                plan(topology, level, cut(CoreUnits.cores(topology, allowed), many)),
                many + " executors of " + cpus + " CPUs fit on this host");
    }

    /** Runs of neighbouring CPUs of almost equal size; whole cores where there are enough of them. */
    private static List<CpuSet> cut(List<List<CpuSet>> cores, int parts) {
        List<List<CpuSet>> pieces = parts <= cores.size()
                ? cores
                : cores.stream().flatMap(List::stream).map(List::of).toList();
        int all = pieces.stream().mapToInt(List::size).sum();
        List<CpuSet> result = new ArrayList<>();
        CpuSet part = CpuSet.empty();
        int taken = 0;
        for (int i = 0; i < pieces.size(); i++) {
            for (CpuSet pu : pieces.get(i)) {
                part = part.union(pu);
                taken++;
            }
            int missing = parts - result.size() - 1;
            boolean full = (long) taken * parts >= (long) (result.size() + 1) * all;
            boolean needed = pieces.size() - i - 1 <= missing;
            if (missing == 0 ? i + 1 == pieces.size() : full || needed) {
                result.add(part);
                part = CpuSet.empty();
            }
        }
        return result;
    }

    /** The parts of the machine that a level tells apart; CPUs near no node, as when it is offline, are one more. */
    static List<CpuSet> domains(Topology topology, AffinityLevel level) {
        CpuSet allowed = topology.allowedCpuSet().intersection(topology.cpuSet());
        PlacementPlan plan = PlacementPolicies.byLevel().plan(topology, PlacementRequest.of(level, allowed.size(), 1));
        CpuSet rest = allowed.minus(plan.cpus());
        return Stream.concat(
                        plan.slots().stream().map(Slot::cpus).distinct(),
                        rest.isEmpty() ? Stream.of() : Stream.of(rest))
                .toList();
    }

    /** One part that is all that may be used. */
    static PlacementPlan whole(Topology topology, AffinityLevel level) {
        return plan(topology, level, List.of(topology.allowedCpuSet().intersection(topology.cpuSet())));
    }

    /** One worker for each of the sets. */
    static PlacementPlan plan(Topology topology, AffinityLevel level, List<CpuSet> parts) {
        List<Slot> slots = new ArrayList<>();
        for (CpuSet cpus : parts) {
            int index = slots.size();
            slots.add(new Slot(
                    index, index, 0, Slot.TASK, cpus, topology.nodesNear(cpus), "part " + index + " of this host"));
        }
        return new PlacementPlan(level, MemoryMode.LOCAL, topology.allowedCpuSet(), false, slots, List.of(), List.of());
    }
}
