package org.berth.cli.plan;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * Defaults for the numbers of workers and threads: a worker for each package (at level numa each node, at level l3 each
 * L3 cache), and as many threads as fill it without sharing.
 *
 * @param choices the choices and their reasons, one sentence each, for the output
 */
public record PlanShape(int workers, int threads, List<String> choices) {
    /** The CPUs that a request leaves of a machine; an empty set is left to the policy to explain. */
    public static CpuSet usable(Topology topology, PlacementRequest request) {
        CpuSet usable = topology.allowedCpuSet().intersection(request.within().orElseGet(topology::allowedCpuSet));
        return request.nearDevice()
                .flatMap(topology::device)
                .map(device -> usable.intersection(topology.locality(device).cpus()))
                .orElse(usable);
    }

    public static PlanShape of(
            Topology topology, CpuSet cpus, AffinityLevel level, int askedWorkers, int askedThreads) {
        List<String> choices = new ArrayList<>();
        List<CpuSet> domains = domains(topology, cpus, level);
        int workers = askedWorkers;
        if (workers <= 0) {
            workers = domains.size();
            choices.add("Workers not given: " + workers + domainName(level) + ".");
        }
        int threads = askedThreads;
        if (threads <= 0) {
            threads = fill(topology, domains, level, workers);
            choices.add("Threads not given: " + threads + ", one for each "
                    + (level == AffinityLevel.CORE ? "core" : "PU") + " of a worker.");
        }
        return new PlanShape(workers, threads, choices);
    }

    /**
     * The number of threads that a worker of a process may have without sharing: at the levels l3, core and pu also in
     * more than one package, where the plan notes it.
     */
    public static int threadsApart(Topology topology, CpuSet cpus, AffinityLevel level, int workers) {
        return switch (level) {
            case NONE, NUMA, PACKAGE -> fill(topology, domains(topology, cpus, level), level, workers);
            case CORE -> Math.max(1, cores(topology, cpus) / workers);
            case L3, PU -> Math.max(1, cpus.size() / workers);
        };
    }

    /** Near a device: one worker, and as many threads as get a slot that no other thread has. */
    static PlanShape nearDevice(
            Topology topology, PlacementPolicy policy, PlacementRequest request, int askedWorkers, int askedThreads) {
        List<String> choices = new ArrayList<>();
        int workers = Math.max(1, askedWorkers);
        if (askedWorkers <= 0) {
            choices.add("Workers not given: 1.");
        }
        int threads = askedThreads;
        if (threads <= 0) {
            int pus = policy.plan(topology, request).allowed().size();
            int most = Math.min(pus, PlacementRequest.MAX_SLOTS);
            PlacementPlan full = policy.plan(topology, request.withThreadsPerWorker(most));
            // Without sharing each PU has its thread; otherwise there are fewer slots than PUs.
            long slots = full.oversubscribed()
                    ? full.slots().stream().map(Slot::cpus).distinct().count()
                    : most;
            threads = (int) Math.max(1, slots / workers);
            choices.add("Threads not given: " + threads + ", the maximum without sharing.");
        }
        return new PlanShape(workers, threads, choices);
    }

    /** The parts of the usable CPUs over which the level distributes workers. */
    private static List<CpuSet> domains(Topology topology, CpuSet cpus, AffinityLevel level) {
        return cpus.isEmpty()
                ? List.of(cpus)
                : PlacementPolicies.domains(topology.withAllowed(cpus, topology.allowedNodeSet()), level);
    }

    private static String domainName(AffinityLevel level) {
        return switch (level) {
            case NONE -> "";
            case NUMA -> ", one for each NUMA node with usable CPUs";
            case L3 -> ", one for each L3 cache with usable CPUs";
            case PACKAGE, CORE, PU -> ", one for each package with usable CPUs";
        };
    }

    /** The number of slots of the smallest worker, so that no thread has to share. */
    private static int fill(Topology topology, List<CpuSet> domains, AffinityLevel level, int workers) {
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < Math.min(domains.size(), workers); i++) {
            int sharers = workers / domains.size() + (i < workers % domains.size() ? 1 : 0);
            int slots = level == AffinityLevel.CORE
                    ? cores(topology, domains.get(i))
                    : domains.get(i).size();
            fewest = Math.min(fewest, slots / sharers);
        }
        return Math.max(1, fewest);
    }

    private static int cores(Topology topology, CpuSet cpus) {
        int cores = topology.objectsIntersecting(cpus, ObjectType.CORE).size();
        return cores == 0 ? cpus.size() : cores;
    }
}
