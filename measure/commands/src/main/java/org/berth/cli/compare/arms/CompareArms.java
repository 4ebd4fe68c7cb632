package org.berth.cli.compare.arms;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.text.Words;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * The levels that differ on a machine, and the plan of each. One process holds a worker for every package (or node),
 * and all plans have the same number of threads, so that the arms differ only in slots.
 *
 * @param plans plans of the levels to run, in the requested order
 * @param same levels with the same slots as another one, with the line that reports it
 * @param threads threads of all workers together
 * @param absent other arms that this machine does not allow, a line with the reason for each
 * @param lines the command line that uses an arm, by its name, as far as there is one
 * @param later lines like those of absent arms that are told with the verdict only
 */
public record CompareArms(
        Map<OrderedLevel, PlacementPlan> plans,
        Map<OrderedLevel, String> same,
        int threads,
        List<String> absent,
        Map<String, String> lines,
        List<String> later) {

    /** Arms without a command line to use. */
    public CompareArms(
            Map<OrderedLevel, PlacementPlan> plans, Map<OrderedLevel, String> same, int threads, List<String> absent) {
        this(plans, same, threads, absent, Map.of(), List.of());
    }

    /** No plans, for work that places its own threads. */
    public static CompareArms none() {
        return new CompareArms(Map.of(), Map.of(), 0, List.of());
    }

    /** Levels for single threads; the number of threads is one for each allowed PU when it is not given. */
    public static CompareArms of(
            Topology topology, List<OrderedLevel> levels, Optional<Integer> threads, List<ThreadRule> rules) {
        int all = threads.orElse(topology.allowedCpuSet().size());
        int workers = workers(topology, levels, all);
        int perWorker = Math.max(1, (all + workers - 1) / workers);
        PlacementRequest request =
                PlacementRequest.of(AffinityLevel.NONE, workers, perWorker).withRules(rules);
        List<List<OrderedLevel>> groups = PlacementPolicies.indistinguishable(topology, request);
        return distinctBy(
                arm -> groups.stream()
                        .filter(group -> group.contains(arm.level()))
                        .findFirst()
                        .<Object>map(group -> group)
                        .orElse(arm.level()),
                plans(topology, levels, request),
                twin -> " on this machine"
                        + why(twin.arm().level(), twin.first().level(), topology),
                perWorker * workers);
    }

    /** Levels for a process that is bound as a whole, as by {@code berth run}: they differ when its CPUs do. */
    static CompareArms ofProcess(Topology topology, List<OrderedLevel> levels, int threads) {
        return distinctBy(
                arm -> arm.plan().workerCpus(0),
                plans(topology, levels, PlacementRequest.of(AffinityLevel.NONE, 1, threads)),
                twin -> " for " + Words.count(threads, "thread") + " (CPUs "
                        + twin.arm().plan().workerCpus(0) + ")",
                threads);
    }

    /** A level with its plan. */
    record LevelPlan(OrderedLevel level, PlacementPlan plan) {}

    private static List<LevelPlan> plans(Topology topology, List<OrderedLevel> levels, PlacementRequest request) {
        return levels.stream()
                .map(level ->
                        new LevelPlan(level, PlacementPolicies.byLevel().plan(topology, request.withLevel(level))))
                .toList();
    }

    /**
     * The plans that differ.
     *
     * @param key equal for plans that are the same on this machine
     * @param why the end of the line "same as core", such as " on this machine"
     */
    static CompareArms distinctBy(
            Function<LevelPlan, ?> key, List<LevelPlan> all, Function<Arms.Twin<LevelPlan>, String> why, int threads) {
        Arms<LevelPlan> arms = Arms.distinctBy(key, all);
        Map<OrderedLevel, PlacementPlan> plans = new LinkedHashMap<>();
        arms.distinct().forEach(arm -> plans.put(arm.level(), arm.plan()));
        Map<OrderedLevel, String> same = new LinkedHashMap<>();
        arms.twins()
                .forEach(twin -> same.put(
                        twin.arm().level(), "same as " + twin.first().level().word() + why.apply(twin)));
        return new CompareArms(plans, same, threads, List.of());
    }

    /** A failure when there is only one arm, unless one is enough for a self-check. */
    public void requireTwo(Topology topology, LevelChoice levels, String remedy) {
        if (plans.size() < 2 && !levels.firstOnly()) {
            List<String> words =
                    levels.on(topology).stream().map(OrderedLevel::word).toList();
            throw CommandException.failure("nothing to compare: " + String.join(",", words)
                    + (words.size() == 1 ? " is the only arm" : " give the same slots on this machine") + " (CPUs "
                    + topology.allowedCpuSet() + "); " + remedy);
        }
    }

    /** The same with a command line for each arm that has one. */
    public CompareArms withLines(Map<String, String> commandLines) {
        return new CompareArms(plans, same, threads, absent, Map.copyOf(commandLines), later);
    }

    public CompareArms withAbsent(List<String> text) {
        return new CompareArms(plans, same, threads, List.copyOf(text), lines, later);
    }

    /** The same with lines that are told with the verdict only. */
    public CompareArms withLater(List<String> text) {
        return new CompareArms(plans, same, threads, absent, lines, List.copyOf(text));
    }

    /** What stands above the verdict as not run. */
    public List<String> notRun() {
        return Stream.concat(absent.stream(), later.stream()).toList();
    }

    /**
     * A running thread is in place when its affinity mask is one of the plan's slots and it runs there. The slot of a
     * thread is chosen during the run, and may change from task to task.
     */
    public static Expectation expectation(PlacementPlan plan, List<ThreadNamePattern> workers) {
        if (plan.level() == AffinityLevel.NONE) {
            return Expectation.none();
        }
        return Expectation.bound(
                thread -> workers.stream().anyMatch(name -> name.mayMatch(thread)),
                plan.slots().stream().map(Slot::cpus).toList());
    }

    /** Number of packages with allowed CPUs, at least one. */
    public static int packages(Topology topology) {
        return Math.max(
                1,
                topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.PACKAGE)
                        .size());
    }

    /**
     * Number of workers for a job or for named threads: each package, and each node when level numa or l3 is compared,
     * gets the same number of threads.
     */
    private static int workers(Topology topology, List<OrderedLevel> levels, int threads) {
        int packages = packages(topology);
        boolean byNode = levels.stream()
                .anyMatch(level -> level.level() == AffinityLevel.NUMA || level.level() == AffinityLevel.L3);
        int nodes = byNode ? Math.max(1, nodes(topology)) : 1;
        int both = packages;
        while (both % nodes != 0) {
            both += packages;
        }
        return both <= threads ? both : packages;
    }

    /** Number of nodes with different allowed CPUs. */
    public static int nodes(Topology topology) {
        return (int) topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.NUMA_NODE).stream()
                .map(node -> node.cpuSet().intersection(topology.allowedCpuSet()))
                .distinct()
                .count();
    }

    /** Number of L3 caches with allowed CPUs, or of what level l3 takes instead. */
    static int caches(Topology topology) {
        return PlacementPolicies.domains(topology, AffinityLevel.L3).size();
    }

    /** Why two levels are the same on a machine. */
    private record Reason(Set<AffinityLevel> levels, Predicate<Topology> holds, String words) {}

    private static final List<Reason> REASONS = List.of(
            new Reason(
                    Set.of(AffinityLevel.values()),
                    machine -> machine.allowedCpuSet().size() == 1,
                    "one CPU"),
            new Reason(
                    Set.of(AffinityLevel.NONE, AffinityLevel.PACKAGE),
                    machine -> packages(machine) == 1,
                    "one package"),
            new Reason(Set.of(AffinityLevel.NONE, AffinityLevel.NUMA), machine -> nodes(machine) <= 1, "one NUMA node"),
            new Reason(Set.of(AffinityLevel.NONE, AffinityLevel.L3), machine -> caches(machine) == 1, "one L3 cache"),
            new Reason(
                    Set.of(AffinityLevel.NUMA, AffinityLevel.L3),
                    machine -> caches(machine) == nodes(machine),
                    "one L3 cache for each NUMA node"),
            new Reason(
                    Set.of(AffinityLevel.PACKAGE, AffinityLevel.L3),
                    machine -> caches(machine) == packages(machine),
                    "one L3 cache for each package"),
            new Reason(
                    Set.of(AffinityLevel.L3),
                    machine -> caches(machine) > 1,
                    "the threads fill every L3 cache, or there is one for each worker"),
            new Reason(
                    Set.of(AffinityLevel.NUMA, AffinityLevel.PACKAGE),
                    machine -> nodes(machine) == packages(machine),
                    "one NUMA node for each package"),
            new Reason(Set.of(AffinityLevel.CORE, AffinityLevel.PU), machine -> true, "one PU for each core"));

    /** The reason in brackets, or nothing. */
    static String why(OrderedLevel level, OrderedLevel twin, Topology topology) {
        return REASONS.stream()
                .filter(reason -> reason.levels().containsAll(List.of(level.level(), twin.level())))
                .filter(reason -> reason.holds().test(topology))
                .findFirst()
                .map(reason -> " (" + reason.words() + ")")
                .orElse("");
    }
}
