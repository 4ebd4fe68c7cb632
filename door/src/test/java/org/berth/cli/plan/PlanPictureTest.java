package org.berth.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.berth.machines.Goldens;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanPictureTest {
    @ParameterizedTest
    @CsvSource({"2arm-2c, CORE, 2, 1", "64fake-4n2s2ca2c2t, CORE, 4, 6", "256ppc-8n8s4t, NUMA, 12, 8"})
    void looksAsItDid(String machine, AffinityLevel level, int workers, int threads) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        PlacementPlan plan = PlacementPolicies.byLevel().plan(topology, PlacementRequest.of(level, workers, threads));
        Goldens.check("plan/picture-" + machine + ".txt", PlanPicture.text(topology, plan, 80, true, false));
        for (int columns = 60; columns <= 200; columns += 20) {
            int width = columns;
            assertThat(PlanPicture.text(topology, plan, columns, false, false).lines())
                    .allMatch(line -> line.length() <= width)
                    .allMatch(line -> line.chars().allMatch(c -> c < 0x80));
        }
        assertThat(PlanPicture.svg(topology, plan, PlanTable.headline(plan, Optional.empty())))
                .contains("class=\"pu w0\"");
    }
}
