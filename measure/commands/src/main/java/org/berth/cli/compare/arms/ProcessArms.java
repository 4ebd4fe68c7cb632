package org.berth.cli.compare.arms;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.threads.Expectation;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.ThreadOrder;
import org.berth.placement.ThreadRule;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * The meaning of levels for a command about which only one thing is known: whether it is a JVM.
 *
 * <p>{@code numa} and {@code package} give it one node and one package. In a JVM {@code l3}, {@code core} and {@code pu} give
 * each Java thread a slot, in turn. Any other command gets one L3 cache, or as many cores of several with {@code l3-spread}, and
 * is not compared at {@code core} and {@code pu}.
 */
public final class ProcessArms {
    private static final String EACH_THREAD = "*";

    /** HotSpot's names of threads that it does not report to agents, cut like the kernel's names. */
    private static final List<String> HOTSPOT = List.of(
            "C1 CompilerThre",
            "C2 CompilerThre",
            "G1 ",
            "GC Thread",
            "Monitor Deflati",
            "Service Thread",
            "Shenandoah",
            "Signal Dispatch",
            "Sweeper thread",
            "VM ",
            "XWorker",
            "ZDirector",
            "ZDriver",
            "ZStat",
            "ZUncommitter",
            "ZWorker");

    private ProcessArms() {}

    /**
     * The arms of a command that is bound as a whole.
     *
     * @param threads number of cores or PUs, as for {@code berth run}; empty for the meanings above
     */
    public static CompareArms of(
            Topology topology, List<OrderedLevel> levels, Optional<Integer> threads, boolean javaLauncher) {
        if (threads.isPresent()) {
            return CompareArms.ofProcess(topology, levels, threads.get());
        }
        return CompareArms.distinctBy(
                ProcessArms::cpusOfThreads,
                levels.stream()
                        .map(level -> new CompareArms.LevelPlan(level, plan(topology, level, javaLauncher)))
                        .toList(),
                twin -> " on this machine" + why(topology, twin),
                topology.allowedCpuSet().size());
    }

    /**
     * Each running Java thread is expected in a slot if the arm has slots for single threads; otherwise all threads in
     * the CPUs.
     */
    public static Expectation expectation(PlacementPlan plan) {
        if (plan.level() == AffinityLevel.NONE) {
            return Expectation.none();
        }
        return plan.rules().isEmpty()
                ? Expectation.within(plan.cpus())
                : Expectation.bound(
                        ProcessArms::isJavaThread,
                        plan.slots().stream().map(Slot::cpus).toList());
    }

    private static boolean isJavaThread(ThreadSnapshot thread) {
        return HOTSPOT.stream().noneMatch(name -> thread.name().startsWith(name));
    }

    private static PlacementPlan plan(Topology topology, OrderedLevel chosen, boolean javaLauncher) {
        AffinityLevel level = chosen.level();
        int cpus = topology.allowedCpuSet().size();
        PlacementRequest whole = PlacementRequest.of(level, 1, 1);
        return switch (level) {
            case NONE -> plan(topology, whole.withThreadsPerWorker(cpus));
            case NUMA, PACKAGE ->
                plan(
                        topology,
                        whole.withThreadsPerWorker(plan(topology, whole).cpus().size()));
            case L3 -> javaLauncher ? eachThread(topology, chosen, cpus) : oneCache(topology, chosen.order());
            case CORE, PU -> eachThread(topology, chosen, cpus);
        };
    }

    private static PlacementPlan eachThread(Topology topology, OrderedLevel level, int cpus) {
        PlacementRequest request = PlacementRequest.of(level.level(), 1, cpus)
                .withLevel(level)
                .withRules(List.of(ThreadRule.of(EACH_THREAD)));
        String slot = switch (level.level()) {
            case L3 -> "L3 cache";
            case CORE -> "core";
            default -> "PU";
        };
        String order = level.level() == AffinityLevel.L3 && level.order() == ThreadOrder.PACK
                ? ", as many as it has PUs before the next"
                : ", in turn";
        return noted(plan(topology, request), "each Java thread of the command is bound to one " + slot + order);
    }

    /** The same number of cores, all in one cache or one of each cache in turn, so that only the sharing differs. */
    private static PlacementPlan oneCache(Topology topology, ThreadOrder order) {
        PlacementRequest one = PlacementRequest.of(AffinityLevel.L3, 1, 1);
        CpuSet cache = plan(topology, one).cpus();
        if (order == ThreadOrder.PACK) {
            return noted(
                    plan(topology, one.withThreadsPerWorker(cache.size())),
                    "the command as a whole gets one L3 cache: CPUs " + cache);
        }
        int cores =
                Math.max(1, topology.objectsIntersecting(cache, ObjectType.CORE).size());
        PlacementPlan plan = plan(
                topology,
                PlacementRequest.of(AffinityLevel.CORE, 1, cores)
                        .withLevel(new OrderedLevel(AffinityLevel.CORE, order)));
        return noted(
                plan,
                "the command as a whole gets as many cores as one L3 cache has, of the caches of a package in turn: CPUs "
                        + plan.cpus());
    }

    private static PlacementPlan plan(Topology topology, PlacementRequest request) {
        return PlacementPolicies.byLevel().plan(topology, request);
    }

    private static PlacementPlan noted(PlacementPlan plan, String note) {
        List<String> notes = new ArrayList<>(List.of(note));
        notes.addAll(plan.notes());
        return plan.withNotes(notes);
    }

    /** The CPU sets to which threads of the command are bound, in turn. */
    private static List<CpuSet> cpusOfThreads(CompareArms.LevelPlan arm) {
        PlacementPlan plan = arm.plan();
        List<CpuSet> slots = plan.slots().stream().map(Slot::cpus).toList();
        return plan.rules().isEmpty() || Set.copyOf(slots).size() == 1 ? List.of(plan.cpus()) : slots;
    }

    private static int cores(Topology topology) {
        int cores = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.CORE)
                .size();
        return cores == 0 ? topology.allowedCpuSet().size() : cores;
    }

    private static String why(Topology topology, Arms.Twin<CompareArms.LevelPlan> twin) {
        OrderedLevel level = twin.arm().level();
        String reason = CompareArms.why(level, twin.first().level(), topology);
        if (!reason.isEmpty()) {
            return reason;
        }
        boolean oneEach = cores(topology) == topology.allowedCpuSet().size();
        return level.level() == AffinityLevel.PU && oneEach
                ? " (one PU for each core)"
                : " (CPUs " + twin.arm().plan().cpus() + ")";
    }
}
