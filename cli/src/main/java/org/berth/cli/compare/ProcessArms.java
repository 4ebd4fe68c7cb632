package org.berth.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.drawing.internal.text.Labels;
import org.berth.observation.Expectation;
import org.berth.observation.ThreadSnapshot;
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
 * The meaning of levels for a command about which only one thing is known: whether it is a JVM.
 *
 * <p>{@code numa} and {@code cpu} give it one node and one package. It has all cores and PUs anyway,
 * so in a JVM {@code core} and {@code pu} give each Java thread a slot, in turn, and any other command gets half of the
 * cores, and one PU of each core.
 */
final class ProcessArms {
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
    static CompareArms of(
            Topology topology, List<AffinityLevel> levels, Optional<Integer> threads, boolean javaLauncher) {
        if (threads.isPresent()) {
            return CompareArms.ofProcess(topology, levels, threads.get());
        }
        return CompareArms.distinctBy(
                ProcessArms::cpusOfThreads,
                levels.stream()
                        .map(level -> plan(topology, level, javaLauncher))
                        .toList(),
                twin -> " on this machine" + why(topology, twin),
                topology.allowedCpuSet().size());
    }

    /** With slots for single threads, each running Java thread is expected in a slot; otherwise all threads in the CPUs. */
    static Expectation expectation(PlacementPlan plan) {
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

    private static PlacementPlan plan(Topology topology, AffinityLevel level, boolean javaLauncher) {
        int cpus = topology.allowedCpuSet().size();
        PlacementRequest whole = PlacementRequest.of(level, 1, 1);
        return switch (level) {
            case NONE -> plan(topology, whole.withThreadsPerWorker(cpus));
            case NUMA, PACKAGE ->
                plan(
                        topology,
                        whole.withThreadsPerWorker(plan(topology, whole).cpus().size()));
            case CORE, PU -> javaLauncher ? eachThread(topology, level, cpus) : narrow(topology, level);
        };
    }

    /** A worker for each package, since no worker spans packages. */
    private static PlacementPlan eachThread(Topology topology, AffinityLevel level, int cpus) {
        int packages = CompareArms.packages(topology);
        PlacementRequest request = PlacementRequest.of(level, packages, (cpus + packages - 1) / packages)
                .withRules(List.of(ThreadRule.of(EACH_THREAD)));
        String slot = level == AffinityLevel.CORE ? "core" : "PU";
        return noted(plan(topology, request), "each Java thread of the command is bound to one " + slot + ", in turn");
    }

    private static PlacementPlan narrow(Topology topology, AffinityLevel level) {
        int packages = CompareArms.packages(topology);
        int cores = cores(topology);
        int wanted = level == AffinityLevel.CORE ? cores / 2 : cores;
        PlacementPlan plan =
                plan(topology, PlacementRequest.of(level, packages, Math.max(1, (wanted + packages - 1) / packages)));
        String what =
                level == AffinityLevel.CORE ? "half of the " + Labels.count(cores, "core") : "one PU of each core";
        return noted(plan, "the command as a whole gets " + what + ": CPUs " + plan.cpus());
    }

    private static PlacementPlan plan(Topology topology, PlacementRequest request) {
        return PlacementPolicies.byLevel().plan(topology, request);
    }

    private static PlacementPlan noted(PlacementPlan plan, String note) {
        List<String> notes = new ArrayList<>(List.of(note));
        notes.addAll(plan.notes());
        return new PlacementPlan(
                plan.level(), plan.memory(), plan.allowed(), plan.oversubscribed(), plan.slots(), plan.rules(), notes);
    }

    /** The CPU sets to which a thread of the command may be bound. */
    private static Set<CpuSet> cpusOfThreads(PlacementPlan plan) {
        return plan.rules().isEmpty()
                ? Set.of(plan.cpus())
                : Set.copyOf(plan.slots().stream().map(Slot::cpus).distinct().toList());
    }

    private static int cores(Topology topology) {
        int cores = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.CORE)
                .size();
        return cores == 0 ? topology.allowedCpuSet().size() : cores;
    }

    private static String why(Topology topology, Arms.Twin<PlacementPlan> twin) {
        AffinityLevel level = twin.arm().level();
        String reason = CompareArms.why(level, twin.first().level(), topology);
        if (!reason.isEmpty()) {
            return reason;
        }
        boolean oneEach = cores(topology) == topology.allowedCpuSet().size();
        return level == AffinityLevel.PU && oneEach
                ? " (one PU for each core)"
                : " (CPUs " + twin.arm().cpus() + ")";
    }
}
