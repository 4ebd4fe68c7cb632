package org.berth.cli.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.berth.cli.shared.Arguments;
import org.berth.drawing.text.Labels;
import org.berth.observation.Expectation;
import org.berth.observation.ThreadNamePattern;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;

/**
 * Which levels are worth running on a machine, and the plan of each. One process holds a worker for every package (or
 * node), and all plans have the same number of threads, so that the arms differ in nothing but places.
 *
 * @param plans of the levels to run, in the order asked for
 * @param same levels that come to the same places as another one, with a line that says so
 * @param threads threads of all workers together
 * @param absent other arms that this machine does not allow, a line with the reason for each
 */
public record CompareArms(
        Map<AffinityLevel, PlacementPlan> plans, Map<AffinityLevel, String> same, int threads, List<String> absent) {

    /** @param threads threads in all, or empty for one on each PU that may be used */
    static CompareArms of(
            Topology topology, List<AffinityLevel> levels, Optional<Integer> threads, List<ThreadRule> rules) {
        int all = threads.orElse(topology.allowedCpuSet().size());
        int workers = workers(topology, levels, all);
        int perWorker = Math.max(1, (all + workers - 1) / workers);
        PlacementRequest request =
                PlacementRequest.of(AffinityLevel.NONE, workers, perWorker).withRules(rules);
        List<List<AffinityLevel>> groups = PlacementPolicies.indistinguishable(topology, request);
        Map<AffinityLevel, PlacementPlan> plans = new LinkedHashMap<>();
        Map<AffinityLevel, String> same = new EnumMap<>(AffinityLevel.class);
        for (AffinityLevel level : levels) {
            Optional<AffinityLevel> twin = plans.keySet().stream()
                    .filter(earlier -> groups.stream().anyMatch(group -> group.containsAll(Set.of(level, earlier))))
                    .findFirst();
            if (twin.isPresent()) {
                same.put(
                        level,
                        "same as " + Labels.lower(twin.get()) + " on this machine" + why(level, twin.get(), topology));
            } else {
                plans.put(level, PlacementPolicies.byLevel().plan(topology, request.withLevel(level)));
            }
        }
        return new CompareArms(plans, same, perWorker * workers, List.of());
    }

    /**
     * Of a command whose process is bound as a whole, as by {@code berth run}: levels are the same when the process gets
     * the same CPUs.
     */
    static CompareArms ofProcess(Topology topology, List<AffinityLevel> levels, Optional<Integer> threads) {
        int all = threads.orElse(topology.allowedCpuSet().size());
        PlacementRequest request = PlacementRequest.of(AffinityLevel.NONE, 1, all);
        Map<AffinityLevel, PlacementPlan> plans = new LinkedHashMap<>();
        Map<AffinityLevel, String> same = new EnumMap<>(AffinityLevel.class);
        for (AffinityLevel level : levels) {
            PlacementPlan plan = PlacementPolicies.byLevel().plan(topology, request.withLevel(level));
            Optional<AffinityLevel> twin = plans.keySet().stream()
                    .filter(earlier -> cpus(plans, earlier).equals(plan.workerCpus(0)))
                    .findFirst();
            if (twin.isPresent()) {
                same.put(
                        level,
                        "same as " + Labels.lower(twin.get()) + " for " + Labels.count(all, "thread") + " (CPUs "
                                + plan.workerCpus(0) + ")");
            } else {
                plans.put(level, plan);
            }
        }
        return new CompareArms(plans, same, all, List.of());
    }

    private static CpuSet cpus(Map<AffinityLevel, PlacementPlan> plans, AffinityLevel level) {
        return Objects.requireNonNull(plans.get(level)).workerCpus(0);
    }

    CompareArms withAbsent(List<String> lines) {
        return new CompareArms(plans, same, threads, List.copyOf(lines));
    }

    /** All levels, but nodes only where there are several. */
    static List<AffinityLevel> defaultLevels(Topology topology) {
        List<AffinityLevel> levels = new ArrayList<>(List.of(AffinityLevel.values()));
        if (nodes(topology) < 2) {
            levels.remove(AffinityLevel.NUMA);
        }
        return levels;
    }

    /** "none,package,core" as levels; each counts once. */
    public static List<AffinityLevel> levels(String list) {
        List<AffinityLevel> levels = new ArrayList<>();
        for (String name : list.split(",", -1)) {
            AffinityLevel level = Arguments.level(name.strip());
            if (!levels.contains(level)) {
                levels.add(level);
            }
        }
        return levels;
    }

    /**
     * A running thread of the work is in place when it is bound to one of the plan's slots, read from the kernel, and runs there.
     * Which slot a thread gets is decided while the work runs, and may change from task to task.
     */
    static Expectation expectation(PlacementPlan plan, List<ThreadNamePattern> workers) {
        if (plan.level() == AffinityLevel.NONE) {
            return Expectation.none();
        }
        return Expectation.bound(
                thread -> workers.stream().anyMatch(name -> name.mayMatch(thread)),
                plan.slots().stream().map(Slot::cpus).toList());
    }

    /** Packages with CPUs that may be used, at least one. */
    static int packages(Topology topology) {
        long packages = topology.objects(ObjectType.PACKAGE).stream()
                .filter(one -> one.cpuSet().intersects(topology.allowedCpuSet()))
                .count();
        return (int) Math.max(1, packages);
    }

    /**
     * Of a job or of named threads, one process has so many workers that each package, and each node where levels of nodes
     * are compared, gets the same share of the threads.
     */
    private static int workers(Topology topology, List<AffinityLevel> levels, int threads) {
        int packages = packages(topology);
        int nodes = levels.contains(AffinityLevel.NUMA) ? Math.max(1, nodes(topology)) : 1;
        int both = packages;
        while (both % nodes != 0) {
            both += packages;
        }
        return both <= threads ? both : packages;
    }

    /** Nodes near CPUs that may be used. */
    private static int nodes(Topology topology) {
        return (int) topology.objects(ObjectType.NUMA_NODE).stream()
                .map(node -> node.cpuSet().intersection(topology.allowedCpuSet()))
                .filter(cpus -> !cpus.isEmpty())
                .distinct()
                .count();
    }

    /** A reason in brackets, or nothing. */
    static String why(AffinityLevel level, AffinityLevel twin, Topology topology) {
        Set<AffinityLevel> pair = Set.of(level, twin);
        if (topology.allowedCpuSet().size() == 1) {
            return " (one CPU)";
        }
        if (pair.equals(Set.of(AffinityLevel.NONE, AffinityLevel.PACKAGE)) && packages(topology) == 1) {
            return " (one package)";
        }
        if (pair.equals(Set.of(AffinityLevel.NONE, AffinityLevel.NUMA)) && nodes(topology) <= 1) {
            return " (one NUMA node)";
        }
        if (pair.equals(Set.of(AffinityLevel.NUMA, AffinityLevel.PACKAGE)) && nodes(topology) == packages(topology)) {
            return " (one NUMA node for each package)";
        }
        if (pair.equals(Set.of(AffinityLevel.CORE, AffinityLevel.PU))) {
            return " (one PU for each core)";
        }
        return "";
    }
}
