package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.plan.PlanShape;
import org.berth.cli.run.FirstPart;
import org.berth.placement.MemoryPlace;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Plans for running processes, each a worker of one plan. A pure function. */
final class BindPlanner {
    private BindPlanner() {}

    /**
     * The slots of one process.
     *
     * @param slots for the threads that rules name
     * @param notes compromises of the plan
     */
    record Assignment(CpuSet cpus, NodeSet nodes, List<Slot> slots, List<String> notes) {}

    /**
     * Plans each process.
     *
     * @param named number of threads that the rules name in each process; 0 without rules
     * @param held the CPUs of leases, which no process gets while others are left
     */
    static List<Assignment> plan(BindOptions options, Topology topology, List<Integer> named, Supplier<CpuSet> held) {
        Optional<FirstPart> domain = options.domain();
        return domain.isPresent()
                ? inDomains(options, topology, named, domain.get(), held.get())
                : inOnePlan(options, topology, named);
    }

    /** A domain for each process, and in it a place for each thread that the rules name. */
    private static List<Assignment> inDomains(
            BindOptions options, Topology topology, List<Integer> named, FirstPart part, CpuSet held) {
        part.require(topology);
        PlacementRequest request = options.parts(topology, part, named.size());
        CpuSet free = part.cpus().orElseGet(topology::allowedCpuSet).minus(held);
        PlacementPlan anywhere = PlacementPolicies.byLevel()
                .plan(topology, part.cpus().map(request::withCpus).orElse(request));
        PlacementPlan plan = anywhere;
        if (!held.isEmpty() && !free.isEmpty()) {
            PlacementPlan apart = PlacementPolicies.byLevel().plan(topology, request.withCpus(free));
            // Half a node that others leave is no node.
            boolean whole = apart.workerCpus(0).size() >= anywhere.workerCpus(0).size();
            plan = whole && !apart.oversubscribed() ? apart : anywhere;
        }
        List<Assignment> assignments = new ArrayList<>();
        for (int worker = 0; worker < named.size(); worker++) {
            CpuSet cpus = plan.workerCpus(worker);
            PlacementRequest inside = options.request(topology, 1).withCpus(cpus);
            PlacementPlan threads = PlacementPolicies.byLevel()
                    .plan(
                            topology,
                            inside.withThreadsPerWorker(Math.max(1, threads(topology, inside, named.get(worker), 1))));
            assignments.add(assignment(topology, request, cpus, threads.workerSlots(0), plan.notes()));
        }
        return assignments;
    }

    /** The number of threads that have a place of their own. */
    private static int threads(Topology topology, PlacementRequest request, int named, int workers) {
        return Math.min(
                named, PlanShape.threadsApart(topology, PlanShape.usable(topology, request), request.level(), workers));
    }

    private static List<Assignment> inOnePlan(BindOptions options, Topology topology, List<Integer> named) {
        int workers = options.withoutLevel() ? 1 : named.size();
        PlacementRequest request = options.request(topology, workers);
        int most = named.stream().mapToInt(Integer::intValue).max().orElse(0);
        if (!options.threadsGiven() && most > 0) {
            request = request.withThreadsPerWorker(threads(topology, request, most, workers));
        }
        PlacementPlan plan = PlacementPolicies.byLevel().plan(topology, request);
        List<Assignment> assignments = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            int worker = options.withoutLevel() ? 0 : i;
            // Rules place their threads, and the others keep what they have, unless a number says how much a process
            // gets.
            boolean all = options.withoutLevel() || (most > 0 && !options.threadsGiven());
            CpuSet cpus = all ? PlanShape.usable(topology, request) : plan.workerCpus(worker);
            assignments.add(assignment(
                    topology,
                    request,
                    cpus,
                    plan.workerSlots(worker),
                    options.withoutLevel() ? List.of() : plan.notes()));
        }
        return assignments;
    }

    private static Assignment assignment(
            Topology topology, PlacementRequest request, CpuSet cpus, List<Slot> slots, List<String> remarks) {
        List<String> notes = new ArrayList<>(remarks);
        NodeSet leftOut = request.memoryPlace().leftOut(topology, cpus);
        if (!leftOut.isEmpty()) {
            notes.add(MemoryPlace.leftOutNote(leftOut));
        }
        return new Assignment(
                cpus,
                request.memoryPlace().nodes(topology, cpus),
                slots,
                notes.stream().distinct().toList());
    }
}
