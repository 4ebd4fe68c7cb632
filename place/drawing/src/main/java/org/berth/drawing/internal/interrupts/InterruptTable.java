package org.berth.drawing.internal.interrupts;

import java.util.List;
import org.berth.drawing.internal.text.Labels;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.DeviceQueue;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.text.Words;
import org.berth.topology.CpuSet;

/**
 * The interrupts of each device and the CPUs that handle them, as text. A pure function.
 *
 * @since 0.1.0
 */
public final class InterruptTable {
    private static final int NUMBER_WIDTH = 5;
    private static final int ACTION_WIDTH = 30;

    private InterruptTable() {}

    /** A paragraph for each device: where it is, its interrupts and the queues that are steered to other CPUs. */
    public static String render(InterruptMap map, int columns) {
        StringBuilder out = new StringBuilder();
        if (map.devices().isEmpty()) {
            return "No disk or network adapter is visible in /sys.\n";
        }
        for (DeviceInterrupts device : map.devices()) {
            add(out, device, columns);
        }
        return out.toString();
    }

    private static void add(StringBuilder out, DeviceInterrupts device, int columns) {
        StringBuilder head = new StringBuilder(device.name())
                .append(Words.SEPARATOR)
                .append(device.kind() == DeviceInterrupts.Kind.DISK ? "disk" : "network");
        if (!device.hardware().isEmpty()) {
            head.append(Words.SEPARATOR).append(Labels.shortBusId(device.hardware()));
        }
        head.append(Words.SEPARATOR)
                .append(
                        device.node().isPresent()
                                ? "near NUMA node P#" + device.node().getAsInt()
                                : "near no node");
        if (!device.handlingCpus().isEmpty()) {
            head.append(Words.SEPARATOR).append("handled on ").append(cpus(device.handlingCpus()));
        }
        WordWrap.append(out, "", head.toString(), columns);
        for (Interrupt interrupt : device.interrupts()) {
            String start = "  IRQ " + TextTable.pad(Integer.toString(interrupt.number()), NUMBER_WIDTH)
                    + TextTable.pad(interrupt.action(), ACTION_WIDTH);
            WordWrap.append(
                    out,
                    start,
                    "on " + cpus(interrupt.effective()) + " of " + interrupt.allowed() + ", " + interrupt.count()
                            + " so far" + (interrupt.control() ? ", no data" : ""),
                    columns);
        }
        addQueues(out, device.queues(), DeviceQueue.Role.RECEIVE, "  packets of rx-", " are steered to ", columns);
        addQueues(out, device.queues(), DeviceQueue.Role.TRANSMIT, "  packets for tx-", " come from ", columns);
        if (!device.reason().isEmpty()) {
            WordWrap.append(out, "  ", device.reason(), columns);
        }
    }

    private static void addQueues(
            StringBuilder out,
            List<DeviceQueue> queues,
            DeviceQueue.Role role,
            String start,
            String middle,
            int columns) {
        for (DeviceQueue queue : queues) {
            if (queue.role() == role && !queue.cpus().isEmpty()) {
                WordWrap.append(out, start, queue.index() + middle + cpus(queue.cpus()), columns);
            }
        }
    }

    /** "CPU 3", "CPUs 0-3,8". */
    public static String cpus(CpuSet cpus) {
        return cpus.isEmpty() ? "no known CPU" : (cpus.size() == 1 ? "CPU " : "CPUs ") + cpus;
    }
}
