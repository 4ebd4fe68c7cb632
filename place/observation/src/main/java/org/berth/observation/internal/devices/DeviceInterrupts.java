package org.berth.observation.internal.devices;

import java.util.List;
import java.util.OptionalInt;
import org.berth.topology.CpuSet;

/**
 * A disk or network adapter and its interrupts. Immutable.
 *
 * <p><b>Many queues.</b> A device with one queue has one interrupt, and one core that handles it. NVMe disks and most
 * network adapters have a queue, and so an interrupt, for each CPU or for some. So the reference of a placement is not
 * a core but the <em>set</em> of those that handle interrupts of the device ({@link #handlingCpus}). The socket option
 * SO_INCOMING_CPU returns the one that handles a single connection.
 *
 * @param name the kernel's name: "nvme0n1", "eth0"
 * @param kind disk or network
 * @param hardware where it is attached: a PCI bus id such as "0000:00:02.0", or another folder of /sys; empty for none
 * @param node memory node (osIndex) that it is near; empty when the kernel does not know
 * @param localCpus CPUs that it is near, of the PCI device; empty when the kernel does not tell
 * @param interrupts by number; those of several devices on one PCI function are the same ones
 * @param queues queues of a disk with the CPUs that submit to each; queues of an adapter with the CPUs of its RPS and
 * XPS
 * @param reason why there are no interrupts, one line; empty when there are some
 * @since 0.1.0
 */
public record DeviceInterrupts(
        String name,
        Kind kind,
        String hardware,
        OptionalInt node,
        CpuSet localCpus,
        List<Interrupt> interrupts,
        List<DeviceQueue> queues,
        String reason) {
    /** The kind of device. */
    public enum Kind {
        /** A block device. */
        DISK,
        /** A network adapter. */
        NETWORK
    }

    /** Copies the lists. */
    public DeviceInterrupts {
        interrupts = List.copyOf(interrupts);
        queues = List.copyOf(queues);
    }

    /** Interrupts with which data comes or a write is confirmed; all, if no name shows it. */
    public List<Interrupt> dataInterrupts() {
        List<Interrupt> data = interrupts.stream()
                .filter(interrupt -> !interrupt.control())
                .filter(interrupt -> kind == Kind.DISK || !interrupt.transmitOnly())
                .toList();
        return data.isEmpty() ? interrupts : data;
    }

    /**
     * The interrupt-handling cores: CPUs to which the data interrupts are delivered; of a network adapter those that
     * receive, and those that receive packet steering (RPS) steers packets to.
     *
     * @return by osIndex; empty when nothing is known ({@link #reason})
     */
    public CpuSet handlingCpus() {
        CpuSet cpus = CpuSet.empty();
        for (Interrupt interrupt : dataInterrupts()) {
            cpus = cpus.union(interrupt.effective());
        }
        for (DeviceQueue queue : queues) {
            cpus = queue.role() == DeviceQueue.Role.RECEIVE ? cpus.union(queue.cpus()) : cpus;
        }
        return cpus;
    }
}
