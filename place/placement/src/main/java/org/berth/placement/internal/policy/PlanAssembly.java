package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryNodes;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.topology.Topology;

/** Makes a plan of what a policy chooses: what all policies have in common. */
final class PlanAssembly {
    private PlanAssembly() {}

    /**
     * @param level what the plan says of itself
     * @param policyNotes what the policy had to decide, said after what was found out about the usable CPUs
     */
    static PlacementPlan of(
            Topology topology,
            PlacementRequest request,
            AffinityLevel level,
            UsableCpus usable,
            CpuChooser chooser,
            List<String> policyNotes) {
        List<CpuChoice> choices = new ArrayList<>();
        for (int worker = 0; worker < request.workers(); worker++) {
            for (int thread = 0; thread < request.threadsPerWorker(); thread++) {
                choices.add(chooser.choose(worker, thread));
            }
        }
        Sharing sharing = new Sharing(choices);
        chooser.report(sharing);

        MemoryNodes memoryNodes = new MemoryNodes(topology, request.memory(), request.memoryPlace());
        List<Slot> slots = new ArrayList<>(choices.size());
        for (int i = 0; i < choices.size(); i++) {
            CpuChoice choice = choices.get(i);
            int worker = i / request.threadsPerWorker();
            int thread = i % request.threadsPerWorker();
            slots.add(Slot.of(i, choice.cpus)
                    .withThread(worker, thread)
                    .withMemoryNodes(memoryNodes.of(choice))
                    .withReason(sharing.reason(choice)));
        }

        List<String> notes = new ArrayList<>(usable.notes());
        notes.addAll(policyNotes);
        notes.addAll(memoryNodes.notes());
        notes.addAll(sharing.notes());
        return PlacementPlan.of(level, request.memory(), usable.cpus(), slots)
                .withOversubscribed(sharing.isOversubscribed())
                .withRules(request.rules())
                .withNotes(notes);
    }

    /** To be asked before anything else: slots of every policy have one role. */
    static void requireTaskRules(PlacementRequest request) {
        for (ThreadRule rule : request.rules()) {
            if (!rule.role().equals(Slot.TASK)) {
                throw new PlacementException("thread rule '" + rule.glob() + "' hands out role '" + rule.role()
                        + "', and the slots of a policy have role '" + Slot.TASK + "': use that");
            }
        }
    }
}
