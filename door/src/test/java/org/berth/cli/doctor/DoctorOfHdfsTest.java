package org.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.binding.internal.interrupts.InterruptBinding;
import org.berth.cli.irq.InterruptOutputTest;
import org.berth.observation.Reading;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

/** What the doctor makes of interrupts and of a DataNode, on a machine of two packages. */
class DoctorOfHdfsTest {
    private static final CpuSet ALL = CpuSet.range(0, 31);
    private static final String JAR = "/opt/berth/lib/berth-hdfs-0.1.0.jar";

    @Test
    void disksAndNetworksOnOneCoreAreAWarningForADataNodeAlone() {
        Finding machine = DeviceInterruptFindings.shared(InterruptOutputTest.TWO, InterruptOutputTest.MAP, false);
        Finding dataNode = DeviceInterruptFindings.shared(InterruptOutputTest.TWO, InterruptOutputTest.MAP, true);

        assertThat(machine.severity()).isEqualTo(Finding.Severity.INFO);
        assertThat(dataNode.severity()).isEqualTo(Finding.Severity.WARNING);
        assertThat(dataNode.read())
                .isEqualTo("disks interrupt CPUs 0,9, network adapters CPUs 8,10-11: the same package (L#1)");
        assertThat(dataNode.fix()).contains("berth irq --spread");
        assertThat(DeviceInterruptFindings.shared(InterruptOutputTest.TWO, new InterruptMap(List.of()), true))
                .extracting(Finding::severity)
                .isEqualTo(Finding.Severity.INFO);
    }

    @Test
    void irqbalanceMattersWhereInterruptsWereMoved() {
        List<InterruptBinding.Moved> moved = List.of(new InterruptBinding.Moved(70, "eth0-rx-0", ALL, CpuSet.of(8)));

        assertThat(DeviceInterruptFindings.moved(List.of(), Reading.of(true))).isEmpty();
        assertThat(DeviceInterruptFindings.moved(moved, Reading.of(false))).noneMatch(Finding::isWrong);
        assertThat(DeviceInterruptFindings.moved(moved, Reading.of(true)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.isWrong()).isTrue());
    }

    @Test
    void aDataNodeWhosePluginIsThereButDoesNotRunIsAWarning() {
        ProcessFacts node = dataNode(Map.of(7, "DataXceiver for"), Map.of(7, ALL));

        assertThat(DataNodeFindings.isDataNode(node)).isTrue();
        assertThat(DataNodeFindings.of(node, Reading.of(List.of("/lib/hadoop-hdfs-3.5.0.jar"))))
                .extracting(Finding::severity)
                .containsExactly(Finding.Severity.INFO);
        assertThat(DataNodeFindings.of(node, Reading.of(List.of("/lib/hadoop-hdfs-3.5.0.jar", JAR))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.isWrong()).isTrue();
                    assertThat(finding.fix()).contains("dfs.datanode.plugins");
                });
    }

    @Test
    void threadsThatServeBlocksAreCounted() {
        Map<Integer, String> names = Map.of(5, "berth-upkeep", 7, "DataXceiver for", 8, "DataXceiver for");

        Finding bound = DataNodeFindings.of(
                        dataNode(names, Map.of(7, CpuSet.of(9), 8, CpuSet.of(1))), Reading.of(List.of(JAR)))
                .get(1);
        assertThat(bound.severity()).isEqualTo(Finding.Severity.OK);
        Finding free = DataNodeFindings.of(dataNode(names, Map.of(7, CpuSet.of(9), 8, ALL)), Reading.of(List.of(JAR)))
                .get(1);
        assertThat(free.severity()).isEqualTo(Finding.Severity.INFO);
        assertThat(free.read()).startsWith("1 of 2 threads that serve blocks are allowed on all CPUs 0-31");
        assertThat(DataNodeFindings.of(dataNode(Map.of(5, "berth-upkeep"), Map.of()), Reading.of(List.of())))
                .noneMatch(Finding::isWrong)
                .hasSize(2);
    }

    private static ProcessFacts dataNode(Map<Integer, String> names, Map<Integer, CpuSet> masks) {
        Map<Integer, CpuSet> all = new TreeMap<>(masks);
        all.put(5, ALL);
        return new ProcessFacts(
                5,
                "java",
                List.of("java", "-Xmx1g", "org.apache.hadoop.hdfs.server.datanode.DataNode"),
                all,
                names,
                NodeSet.of(0, 1),
                Reading.of(0),
                Map.of(),
                Reading.of(true),
                true,
                "1");
    }
}
