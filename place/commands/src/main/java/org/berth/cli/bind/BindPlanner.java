package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import org.berth.cli.plan.PlanShape;
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

    /** @param named number of threads that the rules name in each process; 0 without rules */
    static List<Assignment> plan(BindOptions options, Topology topology, List<Integer> named) {
        int workers = options.withoutLevel() ? 1 : named.size();
        PlacementRequest request = options.request(topology, workers);
        int most = named.stream().mapToInt(Integer::intValue).max().orElse(0);
        if (!options.threadsGiven() && most > 0) {
            int fill = PlanShape.threadsApart(topology, PlanShape.usable(topology, request), request.level(), workers);
            request = request.withThreadsPerWorker(Math.min(most, fill));
        }
        PlacementPlan plan = PlacementPolicies.byLevel().plan(topology, request);
        List<Assignment> assignments = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            int worker = options.withoutLevel() ? 0 : i;
            CpuSet cpus = options.withoutLevel() ? PlanShape.usable(topology, request) : plan.workerCpus(worker);
            NodeSet nodes = request.memoryPlace().nodes(topology, cpus);
            List<String> notes = new ArrayList<>(options.withoutLevel() ? List.of() : plan.notes());
            NodeSet leftOut = request.memoryPlace().leftOut(topology, cpus);
            if (!leftOut.isEmpty()) {
                notes.add(MemoryPlace.leftOutNote(leftOut));
            }
            assignments.add(new Assignment(
                    cpus,
                    nodes,
                    plan.workerSlots(worker),
                    notes.stream().distinct().toList()));
        }
        return assignments;
    }
}
