package org.berth.cli.irq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.drawing.internal.interrupts.InterruptPicture;
import org.berth.drawing.internal.interrupts.InterruptSvg;
import org.berth.drawing.internal.interrupts.InterruptTable;
import org.berth.drawing.internal.text.Canvas;
import org.berth.machines.Goldens;
import org.berth.machines.Machines;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.DeviceInterrupts.Kind;
import org.berth.observation.internal.devices.DeviceQueue;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.placement.internal.dynamic.InterruptSpread;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** What is printed of interrupts: looked at once, then kept. */
public class InterruptOutputTest {
    public static final Topology TWO = TopologyXml.parse(Machines.xml("2x8x2"));
    public static final InterruptMap MAP = new InterruptMap(List.of(
            device(
                    "nvme0n1",
                    Kind.DISK,
                    1,
                    "8-15,24-31",
                    List.of(
                            interrupt(60, "nvme0q0", "8", "8-15,24-31", 7),
                            interrupt(61, "nvme0q1", "0", "0-7,16-23", 12000),
                            interrupt(62, "nvme0q2", "9", "8-15,24-31", 34000)),
                    List.of(
                            new DeviceQueue(DeviceQueue.Role.SUBMIT, 0, CpuSet.parseList("0-7,16-23")),
                            new DeviceQueue(DeviceQueue.Role.SUBMIT, 1, CpuSet.parseList("8-15,24-31")))),
            device(
                    "eth0",
                    Kind.NETWORK,
                    1,
                    "8-15,24-31",
                    List.of(
                            interrupt(70, "eth0-rx-0", "8", "0-31", 123_456),
                            interrupt(71, "eth0-tx-0", "3", "0-31", 5)),
                    List.of(
                            new DeviceQueue(DeviceQueue.Role.RECEIVE, 0, CpuSet.of(10, 11)),
                            new DeviceQueue(DeviceQueue.Role.TRANSMIT, 0, CpuSet.empty()))),
            new DeviceInterrupts(
                    "eth1",
                    Kind.NETWORK,
                    "",
                    OptionalInt.empty(),
                    CpuSet.empty(),
                    List.of(),
                    List.of(),
                    "no numbered interrupt belongs to eth1: its driver polls")));

    @Test
    void pictureOfTwoPackages() {
        Goldens.check("interrupts/2x8x2.txt", InterruptPicture.render(TWO, MAP, 80));
        Goldens.check("interrupts/2x8x2-narrow-ascii.txt", Canvas.ascii(InterruptPicture.render(TWO, MAP, 40)));
    }

    @Test
    void svgOfTwoPackages() {
        Goldens.check("interrupts/2x8x2.svg", InterruptSvg.render(TWO, MAP));
    }

    @Test
    void svgIsWellFormedOnAllMachines() throws Exception {
        for (String name : Machines.all()) {
            String svg = InterruptSvg.render(TopologyXml.parse(Machines.xml(name)), MAP);
            Document document = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
            // A number for each CPU; a cell for each CPU and device, and each kind of cell in the legend.
            int cpus = TopologyXml.parse(Machines.xml(name)).cpuSet().size();
            assertThat(document.getElementsByTagName("g").getLength()).as(name).isEqualTo(3 * cpus + 5);
        }
    }

    @Test
    void everyCpuHasOneColumnOnAllMachines() {
        for (String name : Machines.all()) {
            Topology machine = TopologyXml.parse(Machines.xml(name));
            List<String> numbers = new ArrayList<>();
            InterruptPicture.render(machine, MAP, 80)
                    .lines()
                    .filter(line -> line.startsWith("  CPU "))
                    .forEach(line ->
                            numbers.addAll(List.of(line.substring(6).strip().split(" +"))));
            assertThat(numbers.stream().map(Integer::valueOf).sorted())
                    .as(name)
                    .containsExactlyElementsOf(machine.cpuSet().stream().boxed().toList());
        }
    }

    @Test
    void aMemoryOnlyNodeIsNoPartOfAPackage() {
        Topology machine = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
        assertThat(InterruptPicture.render(machine, MAP, 80).lines().filter(line -> line.contains("NUMA node")))
                .containsExactly(
                        "Package L#0 · NUMA node P#0", "Package L#0 · NUMA node P#1", "Package L#0 · NUMA node P#2");
    }

    @Test
    void tableAndJsonWithWhatASpreadDoes() {
        Goldens.check("interrupts/table.txt", InterruptTable.render(MAP, 80));
        InterruptSpread spread = InterruptSpread.of(TWO, MAP);
        InterruptOutcome.Result[] results = InterruptOutcome.Result.values();
        List<InterruptOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < spread.moves().size(); i++) {
            InterruptOutcome.Result result = results[i % results.length];
            String problem = result == InterruptOutcome.Result.FAILED ? "cannot move interrupt 1: reason" : "";
            outcomes.add(new InterruptOutcome(spread.moves().get(i), result, problem));
        }
        Goldens.check(
                "interrupts/spread.txt",
                String.join("\n", outcomes.stream().map(InterruptOutcome::words).toList()) + "\n"
                        + String.join("\n", spread.notes()) + "\n");
        Goldens.check(
                "interrupts/spread.json",
                InterruptJson.render(MAP, outcomes, List.of("IRQ 9 x: CPUs 0-3 again"), spread.notes()));
    }

    @Test
    void aMachineWithoutDevicesSaysSo() {
        assertThat(InterruptPicture.render(TWO, new InterruptMap(List.of()), 80))
                .isEqualTo("No disk or network adapter is visible in /sys: there are no interrupts with names.\n");
    }

    private static DeviceInterrupts device(
            String name, Kind kind, int node, String local, List<Interrupt> interrupts, List<DeviceQueue> queues) {
        return new DeviceInterrupts(
                name, kind, "0000:81:00.0", OptionalInt.of(node), CpuSet.parseList(local), interrupts, queues, "");
    }

    private static Interrupt interrupt(int number, String action, String effective, String allowed, long count) {
        CpuSet to = CpuSet.parseList(effective);
        TreeMap<Integer, Long> counts = new TreeMap<>();
        counts.put(to.first(), count);
        return new Interrupt(number, action, to, CpuSet.parseList(allowed), counts);
    }
}
