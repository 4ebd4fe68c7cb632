package org.berth.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.berth.machines.Goldens;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlanTableTest {
    static List<String> literature() {
        return Machines.literature();
    }

    @ParameterizedTest
    @MethodSource("literature")
    void looksAsItDid(String machine) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        StringBuilder all = new StringBuilder();
        for (AffinityLevel level : AffinityLevel.values()) {
            PlanShape shape = PlanShape.of(topology, topology.allowedCpuSet(), level, 0, 0);
            PlacementPlan plan = plan(topology, level, shape.workers(), shape.threads());
            assertThat(plan.oversubscribed())
                    .as("the default of level %s shares", level)
                    .isFalse();
            all.append(PlanTable.render(plan, Optional.empty(), shape.choices(), 100, true))
                    .append('\n');
        }
        Goldens.check("plan/" + machine + ".txt", all.toString());
    }

    @Test
    void shoutsWhenThreadsShare() {
        PlacementPlan plan = plan(TopologyXml.parse(Machines.xml("2arm-2c")), AffinityLevel.CORE, 2, 3);
        Goldens.check("plan/oversubscribed.txt", PlanTable.render(plan, Optional.empty(), List.of(), 72, true));
        assertThat(PlanTable.render(plan, Optional.empty(), List.of(), 72, true))
                .contains("Oversubscribed!");
    }

    @ParameterizedTest
    @EnumSource(AffinityLevel.class)
    void keepsToTheWidthExceptForLists(AffinityLevel level) {
        Topology topology = TopologyXml.parse(Machines.xml("256ppc-8n8s4t"));
        PlacementPlan plan = plan(topology, level, 64, 4);
        assertThat(PlanTable.render(plan, Optional.empty(), List.of(), 90, false)
                        .lines())
                .allMatch(line -> line.length() <= 90);
    }

    private static PlacementPlan plan(Topology topology, AffinityLevel level, int workers, int threads) {
        return PlacementPolicies.byLevel().plan(topology, PlacementRequest.of(level, workers, threads));
    }
}
