package org.berth.drawing.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.berth.machines.MachineNumbers;
import org.berth.machines.Machines;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class CpuRowsTest {
    private static final Pattern HEIGHT = Pattern.compile("viewBox=\"0 0 900 (\\d+)\"");
    private static final Pattern FONT = Pattern.compile("font(?:-size)?: (\\d+)px");

    static List<String> machines() {
        return Machines.all();
    }

    @ParameterizedTest
    @CsvSource({
        "2arm-2c, CPU, 2, CPU 0",
        "64fake-4n2s2ca2c2t, CPU, 64, CPU 0",
        "256ppc-8n8s4t, core, 64, core 0",
        "256ia64-64n2s2c, node, 64, node 0"
    })
    void aLargeMachineSharesRows(String machine, String unit, int rows, String first) {
        CpuRows.Lanes lanes = rows(machine).lanes(64);

        assertThat(lanes.unit()).isEqualTo(unit);
        assertThat(lanes.all()).hasSize(rows);
        assertThat(lanes.all().get(0).name()).isEqualTo(first);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void everyCpuIsInOneRow(String machine) {
        List<Integer> cpus = MachineNumbers.pus(Machines.xml(machine));
        for (int most : new int[] {2, 8, 64, 1000}) {
            assertThat(rows(machine).lanes(most).all().stream()
                            .flatMap(lane -> lane.cpus().stream().boxed()))
                    .containsExactlyInAnyOrderElementsOf(cpus);
        }
    }

    /** Its width of 900 pixels is enlarged where a page shows it in 1,100. */
    @ParameterizedTest
    @MethodSource("machines")
    void everyMachineFitsAScreenWithReadableText(String machine) {
        CpuSet cpus = TopologyXml.parse(Machines.xml(machine)).cpuSet();
        List<ThreadSummary> threads = List.of(WatchPictures.thread(1, "t", cpus.first(), cpus.last()));
        String svg = TimelineSvg.render(new Timeline(
                machine, "subtitle", threads, 0, 2 * WatchPictures.SECOND, WatchPictures.SECOND, rows(machine), cpus));

        assertThat(HEIGHT.matcher(svg).results().map(height -> Integer.valueOf(height.group(1))))
                .hasSize(1)
                .allMatch(height -> height <= 1000);
        assertThat(FONT.matcher(svg).results().map(size -> Integer.valueOf(size.group(1))))
                .isNotEmpty()
                .allMatch(size -> size >= 9);
    }

    @Test
    void aBarIsTheShareOfAllCpusOfItsRow() {
        Topology topology = TopologyXml.parse(Machines.xml("256ppc-8n8s4t"));
        int cpu = topology.cpuSet().first();
        ThreadSummary thread = WatchPictures.thread(1, "t", cpu);
        String svg = TimelineSvg.render(new Timeline(
                "t",
                "s",
                List.of(thread),
                0,
                WatchPictures.SECOND,
                WatchPictures.SECOND,
                CpuRows.of(topology),
                topology.cpuSet()));

        // A fourth of a bar of 8 px: the core has four CPUs.
        assertThat(svg).contains("d=\"M103 69.0H852V67.0H103z\"");
    }

    private static CpuRows rows(String machine) {
        return CpuRows.of(TopologyXml.parse(Machines.xml(machine)));
    }
}
