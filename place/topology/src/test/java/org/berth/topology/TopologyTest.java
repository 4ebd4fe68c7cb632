package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.berth.machines.Machines;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/** Single facts of known machines; whole machines are compared with lstopo elsewhere. */
class TopologyTest {
    private final Topology xeon = TopologyXml.parse(Machines.xml("2x8x2"));
    private final Topology tiers = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
    private final Topology mic = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));

    @Test
    void literatureMachinesHaveTheirNames() {
        assertThat(xeon).hasToString("2 packages, 16 cores, 32 PUs, 2 NUMA nodes");
        assertThat(TopologyXml.parse(Machines.xml("2x12x8")))
                .hasToString("2 packages, 24 cores, 192 PUs, 4 NUMA nodes");
        assertThat(TopologyXml.parse(Machines.xml("2x10x8")))
                .hasToString("2 packages, 20 cores, 160 PUs, 2 NUMA nodes");
        assertThat(TopologyXml.parse(Machines.xml("4x10x2"))).hasToString("4 packages, 40 cores, 80 PUs, 4 NUMA nodes");
    }

    @Test
    void withAllowedNarrowsAndKeepsTheTree() {
        Topology narrow = xeon.withAllowed(CpuSet.parseList("0-3,99"), NodeSet.of(1));
        assertThat(narrow.allowedCpuSet()).hasToString("0-3");
        assertThat(narrow.allowedNodeSet()).hasToString("1");
        assertThat(narrow.withAllowed(CpuSet.full(), NodeSet.full()).allowedCpuSet())
                .hasToString("0-3");
        assertThat(narrow.root()).isSameAs(xeon.root());
        assertThat(xeon.allowedCpuSet()).hasToString("0-31");
    }

    @Test
    void coveringAndSharedCaches() {
        assertThat(xeon.covering(CpuSet.of(0, 16)).orElseThrow()).hasToString("Core L#0 (P#0)");
        assertThat(xeon.covering(CpuSet.of(0, 1)).orElseThrow()).hasToString("L3 L#0");
        assertThat(xeon.covering(CpuSet.of(0, 8)).orElseThrow()).isSameAs(xeon.root());
        assertThat(xeon.covering(CpuSet.of(0, 32))).isEmpty();
        assertThat(xeon.covering(CpuSet.empty())).isEmpty();
        assertThat(xeon.covering(CpuSet.full())).isEmpty();
        assertThat(xeon.coveringCache(CpuSet.of(16)).orElseThrow()).hasToString("L1d L#0");
        assertThat(xeon.coveringCache(CpuSet.of(0, 8))).isEmpty();
        TopologyObject core = xeon.object(ObjectType.CORE, 9).orElseThrow();
        assertThat(core.sharedCache().orElseThrow()).hasToString("L3 L#1");
        assertThat(xeon.root().sharedCache()).isEmpty();
    }

    @Test
    void commonAncestors() {
        TopologyObject first = xeon.pu(0).orElseThrow();
        assertThat(first.commonAncestor(xeon.pu(16).orElseThrow())).hasToString("Core L#0 (P#0)");
        assertThat(first.commonAncestor(first)).isSameAs(first);
        assertThat(first.commonAncestor(xeon.pu(31).orElseThrow())).isSameAs(xeon.root());
        assertThatThrownBy(() -> first.commonAncestor(tiers.root())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closestObjectsComeByDistance() {
        assertThat(xeon.closest(xeon.pu(1).orElseThrow()).subList(0, 3))
                .containsExactly(
                        xeon.pu(17).orElseThrow(),
                        xeon.pu(0).orElseThrow(),
                        xeon.pu(16).orElseThrow());
        assertThat(xeon.closest(xeon.pu(1).orElseThrow()))
                .hasSize(31)
                .doesNotContain(xeon.pu(1).orElseThrow());
        assertThat(xeon.closest(xeon.root())).isEmpty();
        TopologyObject node = xeon.numaNode(0).orElseThrow();
        assertThatThrownBy(() -> xeon.closest(node)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneOfTheThreadsOfEachCore() {
        assertThat(xeon.onePuPerCore(xeon.cpuSet(), 0)).hasToString("0-15");
        assertThat(xeon.onePuPerCore(xeon.cpuSet(), 1)).hasToString("16-31");
        assertThat(xeon.onePuPerCore(CpuSet.parseList("0-1,17-18"), 1)).hasToString("17");
        assertThat(xeon.onePuPerCore(xeon.cpuSet(), 2)).hasToString("");
        assertThat(xeon.onePuPerCore(CpuSet.of(99), 0)).hasToString("99");
        assertThatThrownBy(() -> xeon.onePuPerCore(CpuSet.of(0), -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void distributionInsideASubset() {
        assertThat(xeon.distribute(CpuSet.parseList("0-3,8-11"), 2))
                .extracting(CpuSet::toString)
                .containsExactly("0-3", "8-11");
        assertThat(xeon.distribute(CpuSet.of(5), 3))
                .extracting(CpuSet::toString)
                .containsExactly("5", "5", "5");
    }

    @Test
    void devicesAreFoundByNameAndBusId() {
        TopologyObject disk = mic.device("nvme0n1").orElseThrow();
        assertThat(disk).hasToString("Block(Disk) \"nvme0n1\"");
        TopologyObject card = disk.parent().orElseThrow();
        assertThat(card).hasToString("PCI 00:02.0 (NVMExp)");
        assertThat(mic.device("0000:00:02.0")).containsSame(card);
        assertThat(mic.device("00:02.0")).containsSame(card);
        assertThat(mic.device("0000:00:1F.2"))
                .isEqualTo(mic.device("0000:00:1f.2"))
                .isPresent();
        assertThat(mic.device("nothing")).isEmpty();
        DeviceLocality locality = mic.locality(disk);
        assertThat(locality.near()).hasToString("Package L#0 (P#0)");
        assertThat(locality.cpus()).hasToString(locality.near().cpuSet().toString());
        assertThat(locality.nodes()).hasToString("0");
        TopologyObject core = mic.object(ObjectType.CORE, 0).orElseThrow();
        assertThat(mic.locality(core).near()).isSameAs(core);
    }

    @Test
    void memoryAttributesRankNodes() {
        MemoryAttribute bandwidth = tiers.memoryAttribute("Bandwidth").orElseThrow();
        CpuSet group = CpuSet.of(2, 3);
        assertThat(bandwidth.higherIsBetter()).isTrue();
        assertThat(bandwidth.bestTarget(group).orElseThrow()).hasToString("NUMANode(HBM) L#3 (P#4)");
        assertThat(bandwidth.value(tiers.numaNode(6).orElseThrow(), group)).isEqualTo(OptionalLong.of(100));
        assertThat(bandwidth.value(tiers.numaNode(0).orElseThrow(), group)).isEmpty();
        assertThat(tiers.memoryAttribute("Colour")).isEmpty();
    }

    @Test
    void distancesBetweenNodes() {
        Topology opteron = TopologyXml.parse(Machines.xml("8amd64-4n2c"));
        Distances latency = opteron.distances("NUMALatency").orElseThrow();
        TopologyObject first = opteron.numaNode(0).orElseThrow();
        TopologyObject last = opteron.numaNode(3).orElseThrow();
        assertThat(latency.value(first, first)).isEqualTo(10);
        assertThat(latency.value(first, last)).isEqualTo(20);
        assertThat(latency.isLatency()).isTrue();
        assertThat(latency.isBandwidth()).isFalse();
        assertThatThrownBy(() -> latency.value(first, opteron.root())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> latency.value(4, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void hybridProcessorsHaveKinds() {
        Topology hybrid = TopologyXml.parse(Machines.xml("20em64t-hybrid-1p6c2t+2ca4co1t"));
        assertThat(hybrid.cpuKinds()).extracting(kind -> kind.cpus().toString()).containsExactly("12-19", "0-11");
        assertThat(hybrid.cpuKind(0).orElseThrow().efficiency()).isOne();
        assertThat(hybrid.cpuKind(19).orElseThrow().infos()).containsEntry("FrequencyMaxMHz", "3900");
        assertThat(hybrid.cpuKind(20)).isEmpty();
    }

    @Test
    void describesItselfInLines() {
        assertThat(xeon.describe().lines().limit(7))
                .containsExactly(
                        "Machine L#0 (P#0) 64 GiB",
                        "  Package L#0 (P#0)",
                        "    NUMANode L#0 (P#0) 32 GiB",
                        "    L3 L#0 20 MiB",
                        "      L2 L#0 256 KiB",
                        "        L1d L#0 32 KiB",
                        "          L1i L#0 32 KiB");
        assertThat(mic.describe()).contains("Net \"eth0\"");
    }

    @Test
    void namesOfTypes() {
        assertThat(ObjectType.named("core")).contains(ObjectType.CORE);
        assertThat(ObjectType.named("NUMANode")).contains(ObjectType.NUMA_NODE);
        assertThat(ObjectType.named("node")).contains(ObjectType.NUMA_NODE);
        assertThat(ObjectType.named("L3")).contains(ObjectType.L3_CACHE);
        assertThat(ObjectType.named("l1d")).contains(ObjectType.L1_CACHE);
        assertThat(ObjectType.named("L1iCache")).contains(ObjectType.L1I_CACHE);
        assertThat(ObjectType.named("l1i")).contains(ObjectType.L1I_CACHE);
        assertThat(ObjectType.named("d")).isEmpty();
        assertThat(ObjectType.named("")).isEmpty();
        for (ObjectType type : ObjectType.values()) {
            assertThat(ObjectType.named(type.hwlocName())).contains(type);
        }
    }
}
