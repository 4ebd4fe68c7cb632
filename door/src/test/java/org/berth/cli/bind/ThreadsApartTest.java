package org.berth.cli.bind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.plan.PlanShape;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

/** The slots for the threads of processes that run: no thread shares a core while another one is free. */
class ThreadsApartTest {
    @Test
    void threadsOfAProcessUseEveryCoreOfUnevenPackages() {
        Topology server = Discovery.synthetic("pack:2 [numa] core:8 pu:2");
        for (int cores = 1; cores <= 16; cores++) {
            CpuSet cpus = CpuSet.range(0, 2 * cores - 1);
            Topology machine = server.withAllowed(cpus, NodeSet.full());
            for (AffinityLevel level : List.of(AffinityLevel.CORE, AffinityLevel.PU)) {
                int units = level == AffinityLevel.CORE ? cores : 2 * cores;
                for (int workers = 1; workers <= Math.min(3, cores); workers++) {
                    int threads = PlanShape.threadsApart(machine, cpus, level, workers);
                    assertThat(threads)
                            .as("%s, %d cores, %d processes", level, cores, workers)
                            .isEqualTo(units / workers);
                    PlacementPlan plan =
                            PlacementPolicies.byLevel().plan(machine, PlacementRequest.of(level, workers, threads));
                    assertThat(plan.slots()).extracting(Slot::cpus).doesNotHaveDuplicates();
                }
            }
        }
    }
}
