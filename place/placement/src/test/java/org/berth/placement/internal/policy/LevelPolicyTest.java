package org.berth.placement.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.MemoryPlace;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadRule;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/** Machines on which a level has to do without what it is made for. */
public class LevelPolicyTest {
    /** Two cores of two PUs, one of one PU and one bare PU; nothing above them, PU 3 not allowed. */
    private static final String NO_PACKAGES = """
            <?xml version="1.0" encoding="UTF-8"?>
            <topology version="2.0">
              <object type="Machine" os_index="0" cpuset="0x3f" complete_cpuset="0x3f" allowed_cpuset="0x37" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
                <object type="NUMANode" os_index="0" cpuset="0x3f" complete_cpuset="0x3f" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="1073741824"/>
                <object type="Core" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" gp_index="3">
                  <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4"/>
                  <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/>
                </object>
                <object type="Core" os_index="1" cpuset="0xc" complete_cpuset="0xc" nodeset="0x1" complete_nodeset="0x1" gp_index="6">
                  <object type="PU" os_index="2" cpuset="0x4" complete_cpuset="0x4" nodeset="0x1" complete_nodeset="0x1" gp_index="7"/>
                  <object type="PU" os_index="3" cpuset="0x8" complete_cpuset="0x8" nodeset="0x1" complete_nodeset="0x1" gp_index="8"/>
                </object>
                <object type="Core" os_index="2" cpuset="0x10" complete_cpuset="0x10" nodeset="0x1" complete_nodeset="0x1" gp_index="9">
                  <object type="PU" os_index="4" cpuset="0x10" complete_cpuset="0x10" nodeset="0x1" complete_nodeset="0x1" gp_index="10"/>
                </object>
                <object type="PU" os_index="5" cpuset="0x20" complete_cpuset="0x20" nodeset="0x1" complete_nodeset="0x1" gp_index="11"/>
              </object>
            </topology>
            """;

    @Test
    void withoutPackagesTheMachineIsOne() {
        Topology machine = TopologyXml.parse(NO_PACKAGES);
        PlacementPlan plan = plan(machine, PlacementRequest.of(AffinityLevel.CORE, 2, 2));
        assertThat(cpus(plan)).containsExactly("0-1", "2", "4", "5");
        assertThat(plan.oversubscribed()).isFalse();
        assertThat(plan.notes())
                .containsExactly(
                        "this machine names no packages: it counts as one",
                        "this machine names no cores for some PUs: each of them counts as a core");
        assertThat(plan.slots().get(0).reason()).isEqualTo("core L#0 (PUs 0-1) of this machine");
        assertThat(plan.slots().get(3).reason()).startsWith("PU L#5 (PU 5)");
    }

    @Test
    void firstPusComeBeforeSecondOnesInUnevenCores() {
        Topology machine = TopologyXml.parse(NO_PACKAGES);
        PlacementPlan plan = plan(machine, PlacementRequest.of(AffinityLevel.PU, 1, 6));
        assertThat(cpus(plan)).containsExactly("0", "2", "4", "5", "1", "0");
        assertThat(plan.oversubscribed()).isTrue();
        assertThat(plan.notes()).contains("this machine: 6 threads share 5 PUs, up to 2 on each");
        assertThat(plan.slots().get(0).reason()).endsWith(", shared by 2 threads");
        assertThat(plan.slots().get(1).reason()).doesNotContain("shared");
    }

    @Test
    void pusOutsideEveryNodeAreLeftOutAtLevelNumaWhileTheNodesHaveRoomAndSaidSo() {
        Topology machine = recorded("4fake-4gr1nu1pu");
        PlacementPlan one = plan(machine, PlacementRequest.of(AffinityLevel.NUMA, 1, 1));
        assertThat(cpus(one)).containsExactly("0");
        assertThat(one.notes()).containsExactly("no NUMA node holds PU 1: level numa leaves that out");
        PlacementPlan two = plan(machine, PlacementRequest.of(AffinityLevel.NUMA, 2, 1));
        assertThat(cpus(two)).containsExactly("0", "1");
        assertThat(two.notes())
                .containsExactly(
                        "no NUMA node holds PU 1: that counts as one more, as the nodes have too few CPUs",
                        "no allowed NUMA node is near PU 1: memory may come from nodes 0,2");
    }

    @Test
    void memoryOfPusWithoutANodeMayComeFromAnywhereAndIsSaidSo() {
        Topology machine = recorded("16amd64-8n2c-cpusets");
        PlacementPlan plan = plan(machine, PlacementRequest.of(AffinityLevel.PACKAGE, 2, 1));
        assertThat(plan.workerCpus(0).toString()).isEqualTo("0-1");
        assertThat((Object) plan.workerNodes(0)).isEqualTo(NodeSet.range(1, 4));
        assertThat((Object) plan.workerNodes(1)).isEqualTo(NodeSet.of(1));
        assertThat(plan.notes())
                .containsExactly("no allowed NUMA node is near PUs 0-1: memory may come from nodes 1-4");
    }

    /** Three pairs of cores, each with two or three nodes of different memory: three domains, not seven. */
    @Test
    void nodesOfTheSameCpusAreOneDomain() {
        PlacementPlan plan = plan(recorded("fakeheteromemtiers"), PlacementRequest.of(AffinityLevel.NUMA, 4, 1));
        assertThat(cpus(plan)).containsExactly("0-1", "2-3", "4-5", "0-1");
        assertThat(plan.slots().get(1).memoryNodes().toString()).isEqualTo("1");
        assertThat(plan.slots().get(1).reason()).isEqualTo("NUMA nodes L#2-4 (PUs 2-3)");
    }

    @Test
    void hybridCoresAreSaidSo() {
        PlacementPlan plan =
                plan(recorded("20em64t-hybrid-1p6c2t+2ca4co1t"), PlacementRequest.of(AffinityLevel.PU, 1, 20));
        assertThat(cpus(plan).subList(0, 14))
                .containsExactly("0", "2", "4", "6", "8", "10", "12", "13", "14", "15", "16", "17", "18", "19");
        assertThat(cpus(plan).subList(14, 20)).containsExactly("1", "3", "5", "7", "9", "11");
        assertThat(plan.notes()).containsExactly("CPUs of 2 kinds, faster ones are taken first: PUs 0-11; PUs 12-19");
        assertThat(plan(
                                recorded("20em64t-hybrid-1p6c2t+2ca4co1t"),
                                PlacementRequest.of(AffinityLevel.PU, 1, 4).withCpus(CpuSet.range(12, 19)))
                        .notes())
                .isEmpty();
    }

    @Test
    void allowedSetsCutThroughCores() {
        Topology machine = TopologyXml.parse(Machines.xml("2x8x2"))
                .withAllowed(CpuSet.parseList("3,7,16-17,23,31"), NodeSet.of(0, 1));
        PlacementPlan core = plan(machine, PlacementRequest.of(AffinityLevel.CORE, 1, 4));
        assertThat(cpus(core)).containsExactly("16", "17", "3", "7,23");
        PlacementPlan pu = plan(machine, PlacementRequest.of(AffinityLevel.PU, 3, 2));
        assertThat(cpus(pu)).containsExactly("16", "17", "3", "7", "31", "23");
        assertThat(pu.notes())
                .containsExactly(
                        "worker 2 is in more than one package: otherwise some cores would be free, or have far fewer"
                                + " threads than others",
                        "package L#0: 3 workers share 4 cores");
    }

    @Test
    void rulesAndMemoryModeAreHandedOn() {
        List<ThreadRule> rules = List.of(ThreadRule.of("worker-*"));
        PlacementPlan plan = plan(
                recorded("2amd64-2n"),
                PlacementRequest.of(AffinityLevel.PU, 1, 1)
                        .withMemory(MemoryMode.BIND)
                        .withRules(rules));
        assertThat(plan.rules()).isEqualTo(rules);
        assertThat(plan.memory()).isEqualTo(MemoryMode.BIND);
        assertThatThrownBy(() -> plan(
                        recorded("2amd64-2n"),
                        PlacementRequest.of(AffinityLevel.PU, 1, 1).withRules(List.of(new ThreadRule("*", "gc")))))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("hands out role 'gc'");
    }

    @Test
    void policiesWithoutMemoryNodesAreRefused() {
        Topology machine = recorded("2amd64-2n").withAllowed(CpuSet.of(0), NodeSet.empty());
        PlacementRequest request = PlacementRequest.of(AffinityLevel.PU, 1, 1);
        assertThat(plan(machine, request).workerNodes(0).isEmpty()).isTrue();
        assertThatThrownBy(() -> plan(machine, request.withMemory(MemoryMode.PREFER)))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("memory mode prefer needs a NUMA node");
    }

    /** Three pairs of cores of one package: DRAM near two of them, HBM near two, NVM near all. */
    @Test
    void nodesOfATierAreNearOrInThePackage() {
        Topology machine = recorded("fakeheteromemtiers");
        PlacementRequest request = PlacementRequest.of(AffinityLevel.NUMA, 3, 1);
        assertThat(nodes(plan(machine, request.withMemory(MemoryMode.BIND, new MemoryPlace.Tier("nvm")))))
                .containsExactly("8", "6", "9");
        // The first pair has no HBM near it, and the last one no DRAM.
        assertThat(nodes(plan(machine, request.withMemory(MemoryMode.PREFER, new MemoryPlace.Tier("HBM")))))
                .containsExactly("2,4", "4", "2");
        assertThat(nodes(plan(machine, request.withMemory(MemoryMode.INTERLEAVE, new MemoryPlace.Tier("dram")))))
                .containsExactly("0", "1", "0-1");
        assertThatThrownBy(() -> plan(machine, request.withMemory(MemoryMode.BIND, new MemoryPlace.Tier("cxl"))))
                .isInstanceOf(PlacementException.class)
                .hasMessage("there is no memory tier 'cxl' on this machine: choose from hbm (nodes 2,4),"
                        + " dram (nodes 0-1), nvm (nodes 6,8-9)");
    }

    /** Two packages; the memory of the first is said to be HBM. */
    @Test
    void aTierOfAnotherPackageIsNotUsed() {
        Topology machine = TopologyXml.parse(Machines.xml("2x8x2")
                .replaceFirst("(type=\"NUMANode\" os_index=\"0\")", "$1 subtype=\"HBM\"")
                .replaceFirst("(type=\"NUMANode\" os_index=\"1\")", "$1 subtype=\"DRAM\""));
        PlacementRequest request = PlacementRequest.of(AffinityLevel.PACKAGE, 2, 1)
                .withMemory(MemoryMode.BIND, new MemoryPlace.Tier("hbm"));
        assertThatThrownBy(() -> plan(machine, request))
                .isInstanceOf(PlacementException.class)
                .hasMessage("no allowed node of memory tier 'hbm' is in the package of PUs 8-15,24-31: this machine has"
                        + " hbm (nodes 0), dram (nodes 1); memory of another package is used when its nodes are named");
        assertThat(nodes(plan(machine, request.withWorkers(1)))).containsExactly("0");
        // A slot in both packages would reach over to the first one's memory, too.
        assertThatThrownBy(() -> plan(machine, request.withLevel(AffinityLevel.NONE)))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("in the package of PUs 8-15,24-31:");
    }

    @Test
    void theOnlyTierOfAMachineIsDram() {
        Topology machine = TopologyXml.parse(Machines.xml("2x8x2"));
        PlacementRequest request = PlacementRequest.of(AffinityLevel.PACKAGE, 2, 1)
                .withMemory(MemoryMode.BIND, new MemoryPlace.Tier("dram"));
        assertThat(nodes(plan(machine, request))).containsExactly("0", "1");
        assertThatThrownBy(() -> plan(
                        machine.withAllowed(machine.allowedCpuSet(), NodeSet.of(0)),
                        request.withMemory(MemoryMode.PREFER, new MemoryPlace.Tier("dram"))))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("no allowed node of memory tier 'dram' is in the package of PUs 8-15,24-31");
    }

    private static List<String> nodes(PlacementPlan plan) {
        return plan.slots().stream().map(slot -> slot.memoryNodes().toString()).toList();
    }

    private static Topology recorded(String name) {
        return TopologyXml.parse(Machines.xml(name));
    }

    private static PlacementPlan plan(Topology machine, PlacementRequest request) {
        return PlacementPolicies.byLevel().plan(machine, request);
    }

    private static List<String> cpus(PlacementPlan plan) {
        return plan.slots().stream().map(slot -> slot.cpus().toString()).toList();
    }
}
