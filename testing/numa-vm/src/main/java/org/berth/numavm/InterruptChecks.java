package org.berth.numavm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.binding.BindingException;
import org.berth.binding.InterruptBinding;
import org.berth.observation.DeviceInterrupts;
import org.berth.observation.DeviceTrace;
import org.berth.observation.Interrupt;
import org.berth.observation.InterruptMap;
import org.berth.placement.InterruptMove;
import org.berth.placement.InterruptSpread;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/** Interrupts of the NIC, which may be moved, and of the disk, which the kernel manages. */
final class InterruptChecks {
    private static final Path ROOT = Path.of("/");

    private InterruptChecks() {}

    static void run(Checks checks, Topology machine) {
        checks.check("the disk has an interrupt for each queue, near the last node", () -> {
            DeviceInterrupts disk = device("vdb");
            Checks.same("queues", 4, disk.dataInterrupts().size());
            Checks.same(
                    "near",
                    read("/sys/class/block/vdb/device/../local_cpulist"),
                    disk.localCpus().toString());
            for (Interrupt interrupt : disk.interrupts()) {
                String effective = read("/proc/irq/" + interrupt.number() + "/effective_affinity_list");
                Checks.same(
                        "IRQ " + interrupt.number(),
                        effective,
                        interrupt.effective().toString());
            }
            Checks.same(
                    "disk of /",
                    "vda",
                    DeviceTrace.ofPath(ROOT, ROOT).devices().get(0).name());
        });
        checks.check("an interrupt that the kernel manages is refused with EIO and stays", () -> {
            Interrupt managed = device("vdb").dataInterrupts().get(0);
            String before = affinity(managed);
            Path record = Files.createTempDirectory("irq").resolve("record");
            try {
                InterruptBinding.of(record).move(managed.number(), managed.action(), CpuSet.of(0));
                throw new AssertionError("it was moved");
            } catch (BindingException refused) {
                Checks.same("errno", 5, refused.errno());
                Checks.holds(
                        String.valueOf(refused.getMessage()), refused.hint().contains("manages"));
            }
            Checks.same("where it is", before, affinity(managed));
            Checks.holds("nothing is remembered", !Files.exists(record));
        });
        checks.check("the NIC's interrupt goes where it is sent, and back", () -> {
            Interrupt interrupt = device("eth0").dataInterrupts().get(0);
            CpuSet other = machine.cpuSet().minus(interrupt.effective()).singlify();
            Path record = Files.createTempDirectory("irq").resolve("record");
            String before = affinity(interrupt);
            InterruptBinding.of(record).move(interrupt.number(), interrupt.action(), other);
            Checks.same("moved", other.toString(), affinity(interrupt));
            InterruptBinding.of(record).restore();
            Checks.same("given back", before, affinity(interrupt));
            Checks.holds("the record is gone", !Files.exists(record));
        });
        checks.check("interrupts of NIC and disks are told to go apart", () -> {
            InterruptSpread spread = InterruptSpread.of(machine, InterruptMap.read(ROOT));
            CpuSet disks = CpuSet.empty();
            CpuSet network = CpuSet.empty();
            for (InterruptMove move : spread.moves()) {
                disks = move.device().equals("eth0") ? disks : disks.union(move.to());
                network = move.device().equals("eth0") ? network.union(move.to()) : network;
            }
            Checks.holds("a disk's interrupts stay where the NIC's may be", !disks.isEmpty());
            for (TopologyObject socket : machine.objects(ObjectType.PACKAGE)) {
                boolean both =
                        socket.cpuSet().intersects(disks) && socket.cpuSet().intersects(network);
                Checks.holds(socket + " has both", !both || machine.count(ObjectType.PACKAGE) == 1);
            }
        });
    }

    private static DeviceInterrupts device(String name) {
        return InterruptMap.read(ROOT).device(name).orElseThrow();
    }

    private static String affinity(Interrupt interrupt) throws IOException {
        return read("/proc/irq/" + interrupt.number() + "/smp_affinity_list");
    }

    private static String read(String file) throws IOException {
        return Files.readString(Path.of(file)).strip();
    }
}
