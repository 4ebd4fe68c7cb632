package org.berth.placement.internal.dynamic;

import java.util.List;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.topology.CpuSet;

/**
 * The reference for the distance of a core: the cores that handle the interrupts of a device, or of several (the disks
 * of a volume on md, the adapters of a bond). Immutable.
 *
 * @param handlingCpus osIndexes of the interrupt-handling CPUs; one for a device with one queue, a set for many; empty when
 *     nothing is known
 * @param localCpus osIndexes of the CPUs that the device is near to; empty when nothing is known
 * @since 0.1.0
 */
public record InterruptReference(CpuSet handlingCpus, CpuSet localCpus) {
    private static final InterruptReference UNKNOWN = new InterruptReference(CpuSet.empty(), CpuSet.empty());

    /** The reference of devices that {@link org.berth.observation.internal.devices.InterruptMap#devices(org.berth.observation.internal.devices.DeviceTrace)} found. */
    public static InterruptReference of(List<DeviceInterrupts> devices) {
        CpuSet handling = CpuSet.empty();
        CpuSet local = CpuSet.empty();
        for (DeviceInterrupts device : devices) {
            handling = handling.union(device.handlingCpus());
            local = local.union(device.localCpus());
        }
        return new InterruptReference(handling, local);
    }

    /** The one CPU that handles a flow: SO_INCOMING_CPU of its socket, or the queue of a disk that a thread submits to. */
    public static InterruptReference ofCpus(CpuSet handlingCpus) {
        return new InterruptReference(handlingCpus, CpuSet.empty());
    }

    /** Nothing is known: a volume in memory, an adapter whose interrupts have no number. */
    public static InterruptReference unknown() {
        return UNKNOWN;
    }
}
