import org.berth.binding.discovery.Discovery;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.Topology;

/** Lesson 5: where should 2 workers with 2 threads each go? A pure function, here for a machine that only exists as text. */
class APlan {
    public static void main(String[] arguments) {
        Topology machine = Discovery.synthetic("pack:2 [numa] core:4 pu:2");
        PlacementPlan plan = PlacementPolicies.byLevel().plan(machine, PlacementRequest.of(AffinityLevel.CORE, 2, 2));
        for (Slot slot : plan.slots()) {
            System.out.println("worker " + slot.worker() + ", thread " + slot.thread() + ": CPUs " + slot.cpus() + ": "
                    + slot.reason());
        }
    }
}
