package org.berth.placement.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.berth.machines.MachineDevices;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.MemoryMode;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What single machines show of policies near a device. */
class DevicePlacementTest {
    private static final Topology PAPER = TopologyXml.parse(MachineDevices.below(Machines.xml("2x10x8"), "Package", 1));

    /** An InfiniBand adapter by either of its names, a disk, a GPU, a network card, and a bus id. */
    @ParameterizedTest
    @ValueSource(strings = {"ib0", "mlx5_0", "nvme0n1", "card0", "eth9", "0000:a3:00.0", "/dev/nvme0n1"})
    void anyKindOfDeviceWillDo(String device) {
        PlacementPlan plan = plan(PAPER, DevicePolicy.O2ACS, 0, request(1, 1).withNearDevice(device));
        assertThat(cpus(plan)).containsExactly("80-159");
        assertThat(plan.notes()).anyMatch(note -> note.endsWith(device + " is near package L#1"));
    }

    /** Cores of 4 or 2 are taken whole, of 8 by halves; clusters of single ones, but neither a socket nor a large cache. */
    @ParameterizedTest
    @CsvSource({
        "2x10x8, Package, 4, by default half of a core with 8",
        "nvidiagpunumanodes, Package, 4, by default all of a core",
        "2x8x2, Package, 2, by default all of a core",
        "20em64t-hybrid-1p6c2t+2ca4co1t, Package, 2, by default all of a core",
        "128arm-2pa2n8cluster4co, Package, 4, 'by default, as a core has one and 4 share one Cluster'",
        "128arm-2pa2n8cluster4co, Group, 1, 'by default, as a core has one and no cluster or cache is shared by a few'",
        "8em64t-2s2ca2c, Package, 2, 'by default, as a core has one and 2 share one L2'",
        "48amd64-4d2n6c-sparse, Package, 6, 'by default, as a core has one and 6 share one L3'",
        "2arm-2c, Package, 1, 'by default, as a core has one and no cluster or cache is shared by a few'",
    })
    void theNumberOfHardwareThreadsFollowsTheMachine(String name, String place, int count, String why) {
        Topology machine = TopologyXml.parse(MachineDevices.below(Machines.xml(name), place, 0));
        for (DevicePolicy policy : List.of(DevicePolicy.O2NTS, DevicePolicy.O2NTC)) {
            PlacementPlan plan = plan(machine, policy, 0, request(1, 1));
            assertThat(plan.slots().get(0).cpus().size()).isEqualTo(count);
            assertThat(plan.notes()).contains("PUs for each thread: " + count + ", " + why);
        }
        PlacementPlan one = plan(machine, DevicePolicy.O2NTS, 1, request(1, 1));
        assertThat(one.notes()).contains("PUs for each thread: 1, as asked");
        assertThat(one.level()).isEqualTo(AffinityLevel.PU);
    }

    @Test
    void aCoreThatIsNotWhollyAllowedGivesWhatItHas() {
        Topology machine = PAPER.withAllowed(CpuSet.parseList("0-7,81,88-95,99-103"), NodeSet.of(0, 1));
        PlacementPlan plan = plan(machine, DevicePolicy.O2NTS, 0, request(1, 5));
        assertThat(cpus(plan)).containsExactly("81", "88-91", "99-102", "92-95", "103");
        assertThat(plan.notes())
                .contains(
                        "package L#1: fewer than 4 usable PUs lie together at PU 81, and a thread there gets no more",
                        "package L#1: PU 103 in smaller groups, taken last, as groups of 4 do not fill what lies"
                                + " together");
        assertThat(plan.oversubscribed()).isFalse();
    }

    @Test
    void moreHardwareThreadsThanACoreHasAreThoseOfNeighbours() {
        assertThat(cpus(plan(PAPER, DevicePolicy.O2NTS, 16, request(1, 2)))).containsExactly("80-95", "96-111");
        PlacementPlan all = plan(PAPER, DevicePolicy.O2NTS, 1000, request(1, 2));
        assertThat(cpus(all)).containsExactly("80-159", "80-159");
        assertThat(all.notes())
                .contains("package L#1: fewer than 1000 usable PUs lie together at PUs 80-159,"
                        + " and a thread there gets no more");
    }

    /** POWER10 with SMT8: one core whose PUs share caches by fours, every second one. */
    @Test
    void groupsKeepToCachesInsideOfACore() {
        String cache = "type=\"L2Cache\" cache_size=\"1048576\" depth=\"2\" cache_type=\"0\"";
        String halves = object(cache, 0, 2, 4, 6) + object(cache, 1, 3, 5, 7);
        Topology machine =
                machine(0xff, "<object type=\"Core\" " + sets(0xff) + " gp_index=\"3\">" + halves + "</object>");
        assertThat(cpus(plan(machine, DevicePolicy.O2NTS, 0, request(1, 3))))
                .containsExactly("0,2,4,6", "1,3,5,7", "0,2,4,6");
        assertThat(cpus(plan(machine, DevicePolicy.O2NTS, 2, request(1, 4))))
                .containsExactly("0,2", "4,6", "1,3", "5,7");
    }

    /** Cores of 1, 2 and 1 PUs: the outer ones are no neighbours. */
    @Test
    void groupsDoNotReachAcrossALargerCore() {
        String core = "type=\"Core\"";
        Topology machine = machine(0xf, object(core, 0) + object(core, 1, 2) + object(core, 3));
        PlacementPlan plan = plan(machine, DevicePolicy.O2NTS, 2, request(1, 4));
        assertThat(cpus(plan)).containsExactly("0", "1-2", "3", "0");
        assertThat(plan.notes())
                .contains("this machine: fewer than 2 usable PUs lie together at PUs 0,3,"
                        + " and a thread there gets no more");
    }

    /** A machine without packages, with devices. */
    private static Topology machine(int mask, String children) {
        String machine = sets(mask) + " allowed_cpuset=\"0x%x\" allowed_nodeset=\"0x1\"".formatted(mask);
        String xml = """
                <topology version="2.0">
                  <object type="Machine" %s gp_index="1">
                    <object type="NUMANode" os_index="0" %s gp_index="2" local_memory="1073741824"/>
                    %s
                  </object>
                </topology>
                """.formatted(machine, sets(mask), children);
        return TopologyXml.parse(MachineDevices.below(xml, "Machine", 0));
    }

    private static String object(String attributes, int... pus) {
        StringBuilder xml = new StringBuilder();
        int mask = 0;
        for (int pu : pus) {
            mask |= 1 << pu;
            xml.append(
                    "<object type=\"PU\" os_index=\"%d\" %s gp_index=\"%d\"/>".formatted(pu, sets(1 << pu), 10 + pu));
        }
        return "<object %s %s gp_index=\"%d\">%s</object>".formatted(attributes, sets(mask), 20 + pus[0], xml);
    }

    private static String sets(int mask) {
        return "cpuset=\"0x%1$x\" complete_cpuset=\"0x%1$x\" nodeset=\"0x1\" complete_nodeset=\"0x1\"".formatted(mask);
    }

    /** The firmware tells no distances: other cores of the same package come before those of the other one. */
    @Test
    void withoutDistancesTheTreeTellsWhatIsNearer() {
        Topology machine = TopologyXml.parse(MachineDevices.below(Machines.xml("2x12x8"), "L3Cache", 13));
        PlacementPlan plan = plan(machine, DevicePolicy.O2OCC, 0, request(1, 24));
        assertThat(cpus(plan).subList(0, 3)).containsExactly("104-111", "96-103", "112-119");
        assertThat(cpus(plan).subList(5, 7)).containsExactly("136-143", "144-151");
        assertThat(cpus(plan).subList(11, 14)).containsExactly("184-191", "0-7", "8-15");
    }

    @Test
    void aDeviceNearEverythingIsSaidSo() {
        Topology machine = TopologyXml.parse(MachineDevices.below(Machines.xml("2x8x2"), "Machine", 0));
        for (DevicePolicy policy : DevicePolicy.values()) {
            PlacementPlan plan = plan(machine, policy, 0, request(1, 16));
            assertThat(plan.notes().get(0)).isEqualTo("device ib0 is equally near to every CPU of this machine");
            assertThat(plan.notes().get(1)).endsWith("; ib0 is near packages L#0-1");
            assertThat(plan.cpus().toString()).isEqualTo("0-31");
        }
        assertThat(plan(machine, DevicePolicy.O2ACS, 0, request(1, 1))
                        .slots()
                        .get(0)
                        .reason())
                .isEqualTo("o2acs: all that is near (PUs 0-31), near ib0");
    }

    @Test
    void onlyPoliciesOverAllCoresDoWithoutNearOnes() {
        PlacementRequest away = request(1, 2).withCpus(CpuSet.range(0, 15));
        assertThatThrownBy(() -> plan(PAPER, DevicePolicy.O2OCS, 0, away))
                .isInstanceOf(PlacementException.class)
                .hasMessage("device 'ib0' is near CPUs 80-159, and none of them may be used here (0-15):"
                        + " allow some or drop the device");
        PlacementPlan plan = plan(PAPER, DevicePolicy.O2OCC, 0, away);
        assertThat(cpus(plan)).containsExactly("0-7", "8-15");
        assertThat(plan.notes()).contains("no CPU near ib0 may be used: every slot is away from it");
        assertThat(plan.slots().get(1).reason()).endsWith("core L#1 (PUs 8-15) of package L#0, away from ib0");
    }

    @Test
    void wrongRequestsAreOneLine() {
        assertThatThrownBy(
                        () -> plan(PAPER, DevicePolicy.O2OCC, 0, request(1, 1).withNearDevice("eth0")))
                .isInstanceOf(PlacementException.class)
                .hasMessage("unknown device 'eth0': choose one of ib0, mlx5_0, nvme0n1, card0, eth9,"
                        + " 0000:a1:00.0, 0000:a2:00.0, 0000:a3:00.0, 0000:a4:00.0");
        assertThatThrownBy(() -> plan(PAPER, DevicePolicy.O2NTS, 0, PlacementRequest.of(AffinityLevel.CORE, 1, 1)))
                .isInstanceOf(PlacementException.class)
                .hasMessage("policy o2nts needs a device: name one, such as eth0");
        assertThatThrownBy(() -> PlacementPolicies.nearDevice(DevicePolicy.O2NTS, -1))
                .isInstanceOf(PlacementException.class)
                .hasMessage("a thread cannot have -1 hardware threads: ask for at least 1, or 0 (default)");
        assertThatThrownBy(() ->
                        plan(PAPER, DevicePolicy.O2ACS, 0, request(1, 1).withRules(List.of(new ThreadRule("*", "gc")))))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("hands out role 'gc'");
    }

    @Test
    void memoryModeAndRulesAreHandedOn() {
        PlacementPlan plan = plan(
                PAPER,
                DevicePolicy.O2OCS,
                0,
                request(1, 2).withMemory(MemoryMode.BIND).withRules(List.of(ThreadRule.of("IPC Server*"))));
        assertThat(plan.memory()).isEqualTo(MemoryMode.BIND);
        assertThat(plan.workerNodes(0).toString()).isEqualTo("1");
        assertThat(plan.rules()).containsExactly(ThreadRule.of("IPC Server*"));
    }

    private static PlacementRequest request(int workers, int threads) {
        return PlacementRequest.of(AffinityLevel.NONE, workers, threads).withNearDevice("ib0");
    }

    private static PlacementPlan plan(Topology machine, DevicePolicy policy, int count, PlacementRequest request) {
        return PlacementPolicies.nearDevice(policy, count).plan(machine, request);
    }

    private static List<String> cpus(PlacementPlan plan) {
        return plan.slots().stream().map(slot -> slot.cpus().toString()).toList();
    }
}
