package org.berth.observation.internal.devices;

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
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;
import org.berth.topology.CpuSet;

/** Finds what interrupts a device has: by its PCI function, else by the names that drivers give them. */
final class InterruptReader {
    private final SystemFiles files;
    private final InterruptCounts counts;
    private final Optional<Refusal> refusal;

    InterruptReader(SystemFiles files) {
        this.files = files;
        Reading<InterruptCounts> read = InterruptCounts.read(files.root());
        this.counts = read.orElse(new InterruptCounts(Map.of(), Map.of()));
        this.refusal = read.refusal();
    }

    /** Why interrupts are not known; empty when they are. */
    Optional<Refusal> refusal() {
        return refusal;
    }

    /** Is empty for what software makes: loop devices, device mapper, md, RAM. */
    Optional<DeviceInterrupts> disk(String name) {
        Optional<String> folder = files.real("sys/block/" + name).value();
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        List<String> controllers = controllers(folder.get());
        if (controllers.isEmpty() && folder.get().contains("/devices/virtual/")) {
            return Optional.empty();
        }
        List<DeviceQueue> queues = new ArrayList<>();
        for (int queue : files.numbered("sys/block/" + name + "/mq", "").orElse(List.of())) {
            files.cpuList("sys/block/" + name + "/mq/" + queue + "/cpu_list")
                    .value()
                    .ifPresent(cpus -> queues.add(new DeviceQueue(DeviceQueue.Role.SUBMIT, queue, cpus)));
        }
        List<String> from = controllers.isEmpty() ? List.of(folder.get()) : controllers;
        return Optional.of(device(name, DeviceInterrupts.Kind.DISK, from, queues));
    }

    /** Is empty for what software makes: bonds, bridges, lo. */
    Optional<DeviceInterrupts> network(String name) {
        Optional<String> folder = new NetworkInterfaces(files).adapter(name).value();
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        List<DeviceQueue> queues = new ArrayList<>();
        String below = NetworkInterfaces.folder(name) + "/queues/";
        for (int queue : files.numbered(below, "rx-").orElse(List.of())) {
            CpuSet cpus = files.cpuMask(below + "rx-" + queue + "/rps_cpus").orElse(CpuSet.empty());
            queues.add(new DeviceQueue(DeviceQueue.Role.RECEIVE, queue, cpus));
        }
        for (int queue : files.numbered(below, "tx-").orElse(List.of())) {
            CpuSet cpus = files.cpuMask(below + "tx-" + queue + "/xps_cpus").orElse(CpuSet.empty());
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
        return files.numbered(subsystem, "nvme").orElse(List.of()).stream()
                .flatMap(number -> files.real(subsystem + "/nvme" + number).value().stream())
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
            int here = files.number(function + "/numa_node").orElse(-1);
            node = node.isPresent() || here < 0 ? node : OptionalInt.of(here);
            local = local.union(files.cpuList(function + "/local_cpulist").orElse(CpuSet.empty()));
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
        List<Integer> messages = files.numbered(folder + "/msi_irqs", "").orElse(List.of());
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
        CpuSet allowed = files.cpuList(folder + "smp_affinity_list").orElse(CpuSet.empty());
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
