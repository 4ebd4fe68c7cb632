package org.berth.observation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;

/**
 * The disks and network adapters of a machine with their interrupts and where those are delivered. A snapshot: irqbalance
 * or an administrator may move interrupts at any time. Immutable.
 *
 * @param devices disks first, each kind in the order of names; without partitions and devices made by software
 * @since 0.1.0
 */
public record InterruptMap(List<DeviceInterrupts> devices) {
    /** Copies the list. */
    public InterruptMap {
        devices = List.copyOf(devices);
    }

    /**
     * Reads {@code /proc/interrupts}, {@code /proc/irq} and {@code /sys}; needs no privilege. What cannot be read is empty,
     * and the device says why.
     *
     * @param root {@code /}, or the top of a recorded machine
     */
    public static InterruptMap read(Path root) {
        SystemFiles files = new SystemFiles(root);
        InterruptReader reader = new InterruptReader(files);
        List<DeviceInterrupts> devices = new ArrayList<>();
        for (String name : files.names("sys/block")) {
            reader.disk(name).ifPresent(devices::add);
        }
        for (String name : files.names("sys/class/net")) {
            reader.network(name).ifPresent(devices::add);
        }
        return new InterruptMap(devices);
    }

    /** The device of that name, if it is a physical one. */
    public Optional<DeviceInterrupts> device(String name) {
        return devices.stream().filter(device -> device.name().equals(name)).findFirst();
    }

    /** The devices that a trace ended at, as far as they are here. */
    public List<DeviceInterrupts> devices(DeviceTrace trace) {
        return trace.devices().stream()
                .flatMap(found -> device(found.name()).stream())
                .toList();
    }

    /** The interrupt-handling cores of all devices that a trace ended at: a path on md, a route over a bond. */
    public CpuSet handlingCpus(DeviceTrace trace) {
        return devices(trace).stream().map(DeviceInterrupts::handlingCpus).reduce(CpuSet.empty(), CpuSet::union);
    }
}
