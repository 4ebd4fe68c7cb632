package org.berth.spark.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.berth.machines.MachineDevices;
import org.berth.machines.Machines;
import org.berth.observation.Reading;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/** A recorded machine of four packages, each with two nodes of six cores; a network card (eth9) near the second node. */
class ServiceSlotsTest {
    private static final Topology MACHINE =
            TopologyXml.parse(MachineDevices.below(Machines.xml("48amd64-4d2n6c-sparse"), "L3Cache", 1));

    private static final CpuSet FIRST_NODE = CpuSet.range(0, 5);
    private static final CpuSet NEAR_CARD = CpuSet.range(6, 11);

    @Test
    void withoutCardTheyAreOffTheTaskSlots() {
        ServiceSlots result = serviceSlots(FIRST_NODE, slots(0, 1, 2), Map.of(), "");
        assertThat(result.cpus().get(ServiceRole.SHUFFLE_SERVER)).containsExactly(CpuSet.range(3, 5));
        assertThat(result.cpus().get(ServiceRole.HEARTBEAT)).containsExactly(CpuSet.range(3, 5));
        // They start the threads of tasks and of everybody, or need all CPUs at once.
        assertThat(result.cpus().get(ServiceRole.DISPATCHER)).containsExactly(FIRST_NODE);
        assertThat(result.cpus().get(ServiceRole.GC)).containsExactly(FIRST_NODE);
        assertThat(result.notes()).isEmpty();
    }

    @Test
    void whereTasksLeaveNothingOrTooLittleTheyAreInTheWholeDomain() {
        assertThat(serviceSlots(FIRST_NODE, slots(0, 1, 2, 3, 4, 5), Map.of(), "")
                        .cpus()
                        .get(ServiceRole.RPC))
                .containsExactly(FIRST_NODE);
        CpuSet two = CpuSet.range(0, 11);
        assertThat(serviceSlots(two, slots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), Map.of(), "")
                        .cpus()
                        .get(ServiceRole.RPC))
                .containsExactly(two);
    }

    @Test
    void cardInAnotherDomainOfThePackageDrawsThoseOfTheNetwork() {
        ServiceSlots result = serviceSlots(FIRST_NODE, slots(0, 1), Map.of(), "eth9");
        assertThat(result.cpus().get(ServiceRole.SHUFFLE_CLIENT)).containsExactly(NEAR_CARD);
        assertThat(result.cpus().get(ServiceRole.RPC)).containsExactly(NEAR_CARD);
        assertThat(result.cpus().get(ServiceRole.BLOCK_MANAGER)).containsExactly(CpuSet.range(2, 5));
        assertThat(serviceSlots(NEAR_CARD, List.of(), Map.of(), "eth9").cpus().get(ServiceRole.RPC))
                .containsExactly(NEAR_CARD);
    }

    @Test
    void cardInAnotherPackageOrOutOfReachDoesNotAndSaysSo() {
        CpuSet otherPackage = CpuSet.range(12, 17);
        ServiceSlots far = serviceSlots(otherPackage, List.of(), Map.of(), "eth9");
        assertThat(far.cpus().get(ServiceRole.RPC)).containsExactly(otherPackage);
        assertThat(far.notes()).singleElement().asString().contains("eth9 is near CPUs 6-11, in another package");

        ServiceSlots unknown = serviceSlots(FIRST_NODE, List.of(), Map.of(), "veth7");
        assertThat(unknown.cpus().get(ServiceRole.RPC)).containsExactly(FIRST_NODE);
        assertThat(unknown.notes()).singleElement().asString().contains("does not say where the network card veth7");

        Topology bound = MACHINE.withAllowed(FIRST_NODE, NodeSet.of(0));
        ServiceSlots kept =
                ServiceSlots.of(bound, FIRST_NODE, List.of(), ServiceSettings.of(Map.of()), Reading.of("eth9"));
        assertThat(kept.cpus().get(ServiceRole.RPC)).containsExactly(FIRST_NODE);
        assertThat(kept.notes()).singleElement().asString().contains("which this process may not use");
    }

    @Test
    void policiesGiveTurnsNearTheCard() {
        ServiceSlots cores = serviceSlots(FIRST_NODE, slots(0), Map.of("spark.berth.threads.rpc", "o2ocs"), "eth9");
        assertThat(cores.cpus().get(ServiceRole.RPC))
                .containsExactly(CpuSet.of(6), CpuSet.of(7), CpuSet.of(8), CpuSet.of(9), CpuSet.of(10), CpuSet.of(11));
        ServiceSlots all = serviceSlots(FIRST_NODE, slots(0), Map.of("spark.berth.threads", "o2acs"), "eth9");
        assertThat(all.cpus().get(ServiceRole.SHUFFLE_SERVER)).containsExactly(NEAR_CARD);
        assertThat(all.cpus().get(ServiceRole.GC)).containsExactly(FIRST_NODE);
        assertThat(serviceSlots(FIRST_NODE, slots(0), Map.of("spark.berth.threads", "o2occ"), "eth9")
                        .cpus()
                        .get(ServiceRole.RPC))
                .hasSize(48)
                .startsWith(CpuSet.of(6));
        assertThat(serviceSlots(FIRST_NODE, slots(0), Map.of("spark.berth.threads", "o2nts"), "")
                        .notes())
                .singleElement()
                .asString()
                .contains("policy o2nts is not possible", "spark.berth.nic");
    }

    @Test
    void givenCpusAreCutToWhatMayBeUsed() {
        Map<String, String> conf = Map.of(
                "spark.berth.threads.rpc", "cpus:4-5,400",
                "spark.berth.threads.heartbeat", "cpus:300",
                "spark.berth.threads.block-manager", "slot",
                "spark.berth.threads.other", "off");
        ServiceSlots result = serviceSlots(FIRST_NODE, slots(0, 1), conf, "");
        assertThat(result.cpus().get(ServiceRole.RPC)).containsExactly(CpuSet.of(4, 5));
        assertThat(result.cpus().get(ServiceRole.HEARTBEAT)).containsExactly(CpuSet.range(2, 5));
        assertThat(result.cpus().get(ServiceRole.BLOCK_MANAGER)).containsExactly(CpuSet.of(1), CpuSet.of(0));
        assertThat(result.cpus()).doesNotContainKey(ServiceRole.OTHER);
        assertThat(result.notes())
                .containsExactly(
                        "spark.berth.threads.rpc: this process may not use CPUs 400",
                        "spark.berth.threads.heartbeat: this process may not use CPUs 300, so these threads are"
                                + " placed as with auto");
    }

    @Test
    void cpusForAllRolesThatAreNotThereAreOneNote() {
        ServiceSlots result = serviceSlots(FIRST_NODE, slots(0, 1), Map.of("spark.berth.threads", "cpus:300"), "");
        assertThat(result.notes())
                .containsExactly(
                        "spark.berth.threads: this process may not use CPUs 300, so these threads are placed as"
                                + " with auto");
    }

    private static ServiceSlots serviceSlots(CpuSet domain, List<CpuSet> slots, Map<String, String> conf, String card) {
        return ServiceSlots.of(
                MACHINE,
                domain,
                slots,
                ServiceSettings.of(conf),
                card.isEmpty() ? Reading.absent("no default route") : Reading.of(card));
    }

    private static List<CpuSet> slots(int... cpus) {
        return java.util.Arrays.stream(cpus).mapToObj(CpuSet::of).toList();
    }
}
