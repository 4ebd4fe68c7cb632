package org.berth.observation.internal.devices;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;

/**
 * The disks and network adapters of a machine with their interrupts and where those are delivered. A snapshot: irqbalance
 * or an administrator may move interrupts at any time. Immutable.
 *
 * @param devices disks first, each kind in the order of names; without partitions and devices made by software
 * @param unread why devices or interrupts may be missing; empty when all could be read
 * @since 0.1.0
 */
public record InterruptMap(List<DeviceInterrupts> devices, Optional<Refusal> unread) {
    /** Devices about which everything is known. */
    public InterruptMap(List<DeviceInterrupts> devices) {
        this(devices, Optional.empty());
    }

    /** Copies the list. */
    public InterruptMap {
        devices = List.copyOf(devices);
    }

    /**
     * Reads {@code /proc/interrupts}, {@code /proc/irq} and {@code /sys}; needs no privilege. What cannot be read is empty,
     * and the device or {@link #unread} says why.
     *
     * @param root {@code /}, or the top of a recorded machine
     */
    public static InterruptMap read(Path root) {
        SystemFiles files = new SystemFiles(root);
        InterruptReader reader = new InterruptReader(files);
        List<DeviceInterrupts> devices = new ArrayList<>();
        Reading<List<String>> disks = files.names("sys/block");
        Reading<List<String>> networks = new NetworkInterfaces(files).names();
        disks.orElse(List.of()).forEach(name -> reader.disk(name).ifPresent(devices::add));
        networks.orElse(List.of()).forEach(name -> reader.network(name).ifPresent(devices::add));
        return new InterruptMap(devices, disks.refusal().or(networks::refusal).or(reader::refusal));
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
}
