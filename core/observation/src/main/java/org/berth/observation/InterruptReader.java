package org.berth.observation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.berth.topology.CpuSet;

/** Finds what interrupts a device has: by its PCI function, else by the names that drivers give them. */
final class InterruptReader {
    private final SystemFiles files;
    private final InterruptCounts counts;

    InterruptReader(SystemFiles files) {
        this.files = files;
        this.counts = InterruptCounts.read(files.root());
    }

    /** Empty for what software makes: loop devices, device mapper, md, RAM. */
    Optional<DeviceInterrupts> disk(String name) {
        Optional<String> folder = files.real("sys/block/" + name);
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        List<String> controllers = controllers(folder.get());
        if (controllers.isEmpty() && folder.get().contains("/devices/virtual/")) {
            return Optional.empty();
        }
        List<DeviceQueue> queues = new ArrayList<>();
        for (int queue : files.numbered("sys/block/" + name + "/mq", "")) {
            files.cpuList("sys/block/" + name + "/mq/" + queue + "/cpu_list")
                    .ifPresent(cpus -> queues.add(new DeviceQueue(DeviceQueue.Role.SUBMIT, queue, cpus)));
        }
        List<String> from = controllers.isEmpty() ? List.of(folder.get()) : controllers;
        return Optional.of(device(name, DeviceInterrupts.Kind.DISK, from, queues));
    }

    /** Empty for what software makes: bonds, bridges, lo. */
    Optional<DeviceInterrupts> network(String name) {
        Optional<String> folder = files.real("sys/class/net/" + name + "/device");
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        List<DeviceQueue> queues = new ArrayList<>();
        String below = "sys/class/net/" + name + "/queues/";
        for (int queue : files.numbered(below, "rx-")) {
            CpuSet cpus = files.cpuMask(below + "rx-" + queue + "/rps_cpus").orElseGet(CpuSet::empty);
            queues.add(new DeviceQueue(DeviceQueue.Role.RECEIVE, queue, cpus));
        }
        for (int queue : files.numbered(below, "tx-")) {
            CpuSet cpus = files.cpuMask(below + "tx-" + queue + "/xps_cpus").orElseGet(CpuSet::empty);
            queues.add(new DeviceQueue(DeviceQueue.Role.TRANSMIT, queue, cpus));
        }
        return Optional.of(device(name, DeviceInterrupts.Kind.NETWORK, List.of(folder.get()), queues));
    }

    /** A multipath NVMe disk is a virtual device; its subsystem links to the controllers. */
    private List<String> controllers(String folder) {
        if (!folder.contains("/nvme-subsystem/")) {
            return List.of();
        }
        String subsystem = folder.substring(0, folder.lastIndexOf('/'));
        return files.numbered(subsystem, "nvme").stream()
                .flatMap(number -> files.real(subsystem + "/nvme" + number).stream())
                .toList();
    }

    private DeviceInterrupts device(
            String name, DeviceInterrupts.Kind kind, List<String> folders, List<DeviceQueue> queues) {
        Set<Integer> numbers = new TreeSet<>();
        Set<String> hardware = new LinkedHashSet<>();
        OptionalInt node = OptionalInt.empty();
        CpuSet local = CpuSet.empty();
        for (String folder : folders) {
            String function = function(folder);
            hardware.add(function.substring(function.lastIndexOf('/') + 1));
            numbers.addAll(numbers(function));
            if (numbers.isEmpty()) {
                numbers.addAll(byName(name, folder));
            }
            OptionalInt here = files.number(function + "/numa_node");
            node = node.isPresent() || here.orElse(-1) < 0 ? node : here;
            local = local.union(files.cpuList(function + "/local_cpulist").orElseGet(CpuSet::empty));
        }
        List<Interrupt> interrupts = new ArrayList<>();
        numbers.forEach(number -> interrupts.add(interrupt(number)));
        // Numbers are given in the order of the queues, except after a reset.
        interrupts.sort(Comparator.<Interrupt>comparingInt(one -> one.queue().orElse(-1))
                .thenComparingInt(Interrupt::number));
        String reason = interrupts.isEmpty()
                ? "no numbered interrupt belongs to " + name
                        + ": its driver polls, or the hypervisor interrupts in another way"
                : "";
        return new DeviceInterrupts(name, kind, String.join(",", hardware), node, local, interrupts, queues, reason);
    }

    /** The nearest folder above that has interrupts: virtio devices and SCSI disks hang below their PCI function. */
    private String function(String folder) {
        for (String at = folder; at.contains("/"); at = at.substring(0, at.lastIndexOf('/'))) {
            if (!numbers(at).isEmpty()) {
                return at;
            }
        }
        return folder;
    }

    private List<Integer> numbers(String folder) {
        List<Integer> messages = files.numbered(folder + "/msi_irqs", "");
        if (!messages.isEmpty()) {
            return messages;
        }
        int line = files.number(folder + "/irq").orElse(0);
        return line > 0 && counts.countsByCpu().containsKey(line) ? List.of(line) : List.of();
    }

    /** "virtio1" or "virtio1-req.0" of virtio without PCI, "eth0" or "eth0-q0-rx" of Xen. */
    private List<Integer> byName(String name, String folder) {
        Set<String> words = new LinkedHashSet<>(List.of(folder.split("/", -1)));
        words.removeIf(word -> !word.startsWith("virtio"));
        words.add(name);
        return counts.names().keySet().stream()
                .filter(number -> {
                    String action = action(number);
                    return words.stream().anyMatch(word -> action.equals(word) || action.startsWith(word + "-"));
                })
                .toList();
    }

    private Interrupt interrupt(int number) {
        String folder = "proc/irq/" + number + "/";
        CpuSet allowed = files.cpuList(folder + "smp_affinity_list").orElseGet(CpuSet::empty);
        // Old kernels have no file of what is effective, and on some hardware it stays empty.
        CpuSet effective = files.cpuList(folder + "effective_affinity_list").orElse(allowed);
        Map<Integer, Long> byCpu = counts.countsByCpu().getOrDefault(number, Map.of());
        return new Interrupt(number, action(number), effective, allowed, new TreeMap<>(byCpu));
    }

    /** The drivers' part of "PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0". */
    private String action(int number) {
        String[] parts = counts.names().getOrDefault(number, "").split("\\s{2,}", -1);
        String last = parts[parts.length - 1];
        return last.matches("(?i)(.*[-\\s])?(edge|level|fasteoi)(-.*)?") ? "" : last;
    }
}
