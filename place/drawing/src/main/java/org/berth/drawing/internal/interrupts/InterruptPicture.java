package org.berth.drawing.internal.interrupts;

import java.util.ArrayList;
import java.util.List;
import org.berth.drawing.internal.text.Canvas;
import org.berth.drawing.internal.text.Labels;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.DeviceQueue;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.text.WordWrap;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * Which CPUs handle the interrupts of which device: a row for each device, a column for each CPU. A pure function.
 *
 * @since 0.1.0
 */
public final class InterruptPicture {
    private static final int WIDEST_NAME = 16;
    private static final String INDENT = "  ";

    private final Topology topology;
    private final InterruptMap map;
    private final int columns;
    private final StringBuilder out = new StringBuilder();

    private InterruptPicture(Topology topology, InterruptMap map, int columns) {
        this.topology = topology;
        this.map = map;
        this.columns = columns;
    }

    /** Parts of the machine with their devices' marks, and what the marks mean. */
    public static String render(Topology topology, InterruptMap map, int columns) {
        InterruptPicture picture = new InterruptPicture(topology, map, columns);
        if (map.devices().isEmpty()) {
            return "No disk or network adapter is visible in /sys: there are no interrupts with names.\n";
        }
        picture.out.append("Interrupts of disks and network adapters, by the CPU that handles them:\n");
        for (Part part : parts(topology)) {
            picture.addPart(part);
        }
        WordWrap.append(
                picture.out,
                "",
                "● its data interrupts come here  ○ packets are steered here (RPS)  · others (events, sent packets)",
                columns);
        for (DeviceInterrupts device : map.devices()) {
            if (!device.reason().isEmpty()) {
                WordWrap.append(picture.out, "", device.name() + ": " + device.reason(), columns);
            }
        }
        return picture.out.toString();
    }

    record Part(String label, CpuSet cpus) {}

    /** Packages; memory nodes inside those that have several; all in one where there are no packages. */
    static List<Part> parts(Topology topology) {
        List<Part> parts = new ArrayList<>();
        for (TopologyObject socket : topology.objects(ObjectType.PACKAGE)) {
            List<Part> nodes = nodes(topology, socket);
            if (nodes.size() > 1) {
                parts.addAll(nodes);
            } else {
                String node = topology.nodesOf(socket.cpuSet()).toString();
                String label = Labels.name(socket) + (node.isEmpty() ? "" : Words.SEPARATOR + "NUMA node P#" + node);
                parts.add(new Part(label, socket.cpuSet()));
            }
        }
        CpuSet rest = topology.cpuSet();
        for (Part part : parts) {
            rest = rest.minus(part.cpus());
        }
        if (!rest.isEmpty()) {
            parts.add(new Part(parts.isEmpty() ? "Machine" : "Other CPUs", rest));
        }
        return parts;
    }

    /** Its CPUs by the memory nodes that they belong to, when each is in just one. */
    private static List<Part> nodes(Topology topology, TopologyObject socket) {
        List<Part> nodes = new ArrayList<>();
        CpuSet seen = CpuSet.empty();
        NodeSet own = topology.nodesOf(socket.cpuSet());
        for (TopologyObject node : topology.objectsInside(socket.cpuSet(), ObjectType.NUMA_NODE)) {
            if (!own.contains(node.osIndex())) {
                continue;
            }
            if (node.cpuSet().intersects(seen)) {
                return List.of();
            }
            seen = seen.union(node.cpuSet());
            nodes.add(new Part(Labels.name(socket) + Words.SEPARATOR + "NUMA node P#" + node.osIndex(), node.cpuSet()));
        }
        return seen.containsAll(socket.cpuSet()) ? nodes : List.of();
    }

    private void addPart(Part part) {
        WordWrap.append(out, "", part.label(), columns);
        int cell = Integer.toString(Math.max(0, topology.cpuSet().last())).length() + 1;
        int name = 4;
        for (DeviceInterrupts device : map.devices()) {
            name = Math.min(WIDEST_NAME, Math.max(name, device.name().length()));
        }
        int[] cpus = part.cpus().toArray();
        int fitting = Math.max(1, (columns - INDENT.length() - name - 1) / cell);
        for (int from = 0; from < cpus.length; from += fitting) {
            int to = Math.min(cpus.length, from + fitting);
            StringBuilder head = new StringBuilder(INDENT).append(padded("CPU", name));
            for (int i = from; i < to; i++) {
                head.append(" ".repeat(cell - Integer.toString(cpus[i]).length()))
                        .append(cpus[i]);
            }
            out.append(head).append('\n');
            for (DeviceInterrupts device : map.devices()) {
                StringBuilder row = new StringBuilder(INDENT).append(padded(WordWrap.plain(device.name()), name));
                for (int i = from; i < to; i++) {
                    row.append(" ".repeat(cell - 1)).append(mark(device, cpus[i]));
                }
                out.append(row.toString().stripTrailing()).append('\n');
            }
        }
    }

    /** What is drawn where a device and a CPU meet; a space for nothing. */
    static char mark(DeviceInterrupts device, int cpu) {
        if (device.dataInterrupts().stream()
                .anyMatch(interrupt -> interrupt.effective().contains(cpu))) {
            return '●';
        }
        boolean steered = device.queues().stream()
                .anyMatch(queue ->
                        queue.role() == DeviceQueue.Role.RECEIVE && queue.cpus().contains(cpu));
        if (steered) {
            return '○';
        }
        return device.interrupts().stream().map(Interrupt::effective).anyMatch(cpus -> cpus.contains(cpu)) ? '·' : ' ';
    }

    private static String padded(String text, int width) {
        String cut = Canvas.fit(text, width);
        return cut + " ".repeat(width - cut.length());
    }
}
