package org.berth.numavm.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.interrupts.InterruptBinding;
import org.berth.numavm.Guest;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.DeviceTrace;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.placement.internal.dynamic.InterruptMove;
import org.berth.placement.internal.dynamic.InterruptSpread;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Interrupts of the NIC, which may be moved, and of the disk, which the kernel manages. */
@Tag(Guest.TAG)
@Tag("interrupts")
class InterruptsOfDevicesTest {
    private static final Path ROOT = Path.of("/");

    private final Topology machine = Guest.topology();

    @Test
    void theDiskHasAnInterruptForEachQueueNearTheLastNode() throws Exception {
        DeviceInterrupts disk = device("vdb");
        assertThat(disk.dataInterrupts().size()).as("queues").isEqualTo(4);
        assertThat(disk.localCpus().toString())
                .as("near")
                .isEqualTo(read("/sys/class/block/vdb/device/../local_cpulist"));
        for (Interrupt interrupt : disk.interrupts()) {
            String effective = read("/proc/irq/" + interrupt.number() + "/effective_affinity_list");
            assertThat(interrupt.effective().toString())
                    .as("IRQ " + interrupt.number())
                    .isEqualTo(effective);
        }
        assertThat(DeviceTrace.ofPath(ROOT, ROOT).devices().get(0).name())
                .as("disk of /")
                .isEqualTo("vda");
    }

    @Test
    void anInterruptThatTheKernelManagesIsRefusedWithEioAndStays() throws Exception {
        Interrupt managed = device("vdb").dataInterrupts().get(0);
        String before = affinity(managed);
        Path record = Files.createTempDirectory("irq").resolve("record");
        assertThatThrownBy(() -> InterruptBinding.of(record).move(managed.number(), managed.action(), CpuSet.of(0)))
                .isInstanceOfSatisfying(BindingException.class, refused -> {
                    assertThat(refused.errno()).isEqualTo(5);
                    assertThat(refused.remedy()).contains("manages");
                });
        assertThat(affinity(managed)).as("where it is").isEqualTo(before);
        assertThat(Files.exists(record)).as("nothing is remembered").isFalse();
    }

    @Test
    void theNicsInterruptGoesWhereItIsSentAndBack() throws Exception {
        Interrupt interrupt = device("eth0").dataInterrupts().get(0);
        CpuSet other = machine.cpuSet().minus(interrupt.effective()).singlify();
        Path record = Files.createTempDirectory("irq").resolve("record");
        String before = affinity(interrupt);
        InterruptBinding.of(record).move(interrupt.number(), interrupt.action(), other);
        assertThat(affinity(interrupt)).as("moved").isEqualTo(other.toString());
        InterruptBinding.of(record).restore();
        assertThat(affinity(interrupt)).as("given back").isEqualTo(before);
        assertThat(Files.exists(record)).as("the record is gone").isFalse();
    }

    @Test
    void interruptsOfNicAndDisksAreToldToGoApart() {
        InterruptSpread spread = InterruptSpread.of(machine, InterruptMap.read(ROOT));
        CpuSet disks = CpuSet.empty();
        CpuSet network = CpuSet.empty();
        for (InterruptMove move : spread.moves()) {
            disks = move.device().equals("eth0") ? disks : disks.union(move.to());
            network = move.device().equals("eth0") ? network.union(move.to()) : network;
        }
        assertThat(disks.isEmpty())
                .as("a disk's interrupts stay where the NIC's may be")
                .isFalse();
        for (TopologyObject socket : machine.objects(ObjectType.PACKAGE)) {
            boolean both = socket.cpuSet().intersects(disks) && socket.cpuSet().intersects(network);
            assertThat(!both || machine.count(ObjectType.PACKAGE) == 1)
                    .as(socket + " has both")
                    .isTrue();
        }
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
