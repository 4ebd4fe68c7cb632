package org.berth.observation.internal.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.FakeRoot;
import org.berth.observation.RecordedRoot;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterruptMapTest {
    @TempDir
    private static Path folder;

    @Test
    void aRecordedVirtualMachineHasOneQueueForEachDevice() throws IOException {
        InterruptMap map = InterruptMap.read(RecordedRoot.unpack("virtio-2cpu", folder));
        assertThat(map.devices()).extracting(DeviceInterrupts::name).containsExactly("vda", "eth0");
        DeviceInterrupts disk = map.device("vda").orElseThrow();
        assertThat(disk.hardware()).isEqualTo("0000:00:02.0");
        assertThat(numbers(disk.interrupts())).containsExactly(35, 36);
        assertThat(numbers(disk.dataInterrupts())).containsExactly(36);
        assertThat(disk.handlingCpus()).isEqualTo(CpuSet.of(1));
        assertThat(disk.node()).isEmpty();
        assertThat(disk.queues()).containsExactly(new DeviceQueue(DeviceQueue.Role.SUBMIT, 0, CpuSet.of(0, 1)));
        DeviceInterrupts network = map.device("eth0").orElseThrow();
        assertThat(network.interrupts())
                .extracting(Interrupt::action)
                .containsExactlyInAnyOrder("virtio2-config", "virtio2-input.0", "virtio2-output.0");
        assertThat(numbers(network.dataInterrupts())).as("those that receive").containsExactly(38);
        assertThat(network.handlingCpus()).isEqualTo(CpuSet.of(1));
        assertThat(network.interrupts().get(0).count()).isZero();
    }

    @Test
    void manyQueuesAreASet() throws IOException {
        InterruptMap map = InterruptMap.read(RecordedRoot.unpack("server-2socket", folder));
        assertThat(map.devices())
                .extracting(DeviceInterrupts::name)
                .containsExactly("nvme0n1", "nvme1n1", "sda", "sdb", "eth2", "eth3");
        DeviceInterrupts nvme = map.device("nvme0n1").orElseThrow();
        assertThat(nvme.node()).hasValue(1);
        assertThat(nvme.localCpus()).isEqualTo(CpuSet.range(4, 7));
        assertThat(numbers(nvme.dataInterrupts())).as("without the admin queue").containsExactly(61, 62, 63, 64);
        assertThat(nvme.handlingCpus()).isEqualTo(CpuSet.of(0, 2, 4, 6));
        assertThat(nvme.interrupts().get(2).count()).isEqualTo(1062);
    }

    /** A real kernel's, where the disk's interrupts are managed and the adapter's are not. */
    @Test
    void aRecordedMachineOfTwoNodes() throws IOException {
        InterruptMap map = InterruptMap.read(RecordedRoot.unpack("guest-2node", folder));
        assertThat(map.devices()).extracting(DeviceInterrupts::name).containsExactly("vda", "vdb", "eth0");
        DeviceInterrupts disk = map.device("vdb").orElseThrow();
        assertThat(disk.node()).hasValue(1);
        assertThat(disk.localCpus()).isEqualTo(CpuSet.range(4, 7));
        assertThat(numbers(disk.dataInterrupts())).containsExactly(36, 37, 38, 39);
        assertThat(disk.dataInterrupts())
                .extracting(interrupt -> interrupt.allowed().toString())
                .containsExactly("4-5", "6-7", "0-1", "2-3");
        DeviceInterrupts network = map.device("eth0").orElseThrow();
        assertThat(numbers(network.dataInterrupts())).containsExactly(41);
        assertThat(network.handlingCpus().size()).isEqualTo(1);
    }

    @Test
    void aMultipathDiskHasTheInterruptsOfAllItsControllers() throws IOException {
        InterruptMap map = InterruptMap.read(RecordedRoot.unpack("server-2socket", folder));
        DeviceInterrupts disk = map.device("nvme1n1").orElseThrow();
        assertThat(disk.hardware()).isEqualTo("0000:83:00.0,0000:84:00.0");
        assertThat(disk.handlingCpus()).isEqualTo(CpuSet.of(5, 7));
    }

    /** No effective_affinity_list before Linux 4.15: what is allowed has to do. */
    @Test
    void aKernelWithoutEffectiveAffinity() throws IOException {
        InterruptMap map = InterruptMap.read(RecordedRoot.unpack("server-2socket", folder));
        DeviceInterrupts disk = map.device("sda").orElseThrow();
        assertThat(disk.handlingCpus()).isEqualTo(CpuSet.of(0));
        assertThat(numbers(disk.interrupts())).containsExactly(30);
        assertThat(map.device("sdb").orElseThrow().interrupts()).isEqualTo(disk.interrupts());
    }

    @Test
    void steeringOfPacketsCounts() throws IOException {
        InterruptMap map = InterruptMap.read(RecordedRoot.unpack("server-2socket", folder));
        assertThat(map.device("eth2").orElseThrow().handlingCpus()).isEqualTo(CpuSet.of(5, 6));
        DeviceInterrupts steered = map.device("eth3").orElseThrow();
        assertThat(steered.handlingCpus())
                .as("interrupts on 4, packets handed to 1-2")
                .isEqualTo(CpuSet.of(1, 2, 4));
        assertThat(map.device("eth2").orElseThrow().queues())
                .contains(new DeviceQueue(DeviceQueue.Role.TRANSMIT, 1, CpuSet.range(4, 7)));
    }

    @Test
    void interruptsAreFoundForAPathAndARoute() throws IOException {
        Path root = RecordedRoot.unpack("server-2socket", folder);
        InterruptMap map = InterruptMap.read(root);
        DeviceTrace path = DeviceTrace.ofPath(Path.of("/data/1/dfs"), root);
        assertThat(map.devices(path)).extracting(DeviceInterrupts::name).containsExactly("sda", "sdb");
        DeviceTrace route = DeviceTrace.ofPeer(InetAddress.getByName("10.0.1.77"), root);
        assertThat(map.devices(route)).extracting(DeviceInterrupts::name).containsExactlyInAnyOrder("eth2", "eth3");
        assertThat(map.devices(DeviceTrace.ofPath(Path.of("/dev/shm"), root))).isEmpty();
    }

    @Test
    void aDeviceWithoutNumberedInterruptsSaysSo(@TempDir Path own) throws IOException {
        Files.createDirectories(own.resolve("sys/devices/vmbus/net/eth0"));
        Files.createDirectories(own.resolve("sys/class/net"));
        Files.createSymbolicLink(own.resolve("sys/class/net/eth0"), Path.of("../../devices/vmbus/net/eth0"));
        Files.createSymbolicLink(own.resolve("sys/devices/vmbus/net/eth0/device"), Path.of("../.."));
        DeviceInterrupts network = InterruptMap.read(own).device("eth0").orElseThrow();
        assertThat(network.handlingCpus()).isEqualTo(CpuSet.empty());
        assertThat(network.reason()).startsWith("no numbered interrupt belongs to eth0");
    }

    @Test
    void virtioWithoutPciIsFoundByName(@TempDir Path own) throws IOException {
        new FakeRoot(own)
                .file(
                        "proc/interrupts",
                        "           CPU0  CPU1\n  5:  9  0  GICv3 41 Edge      virtio0\n  6:  1 2  GICv3 42 Edge      virtio10")
                .file("proc/irq/5/smp_affinity_list", "0-1")
                .file("proc/irq/5/effective_affinity_list", "0");
        Files.createDirectories(own.resolve("sys/devices/platform/a000000.virtio_mmio/virtio0/block/vda"));
        Files.createDirectories(own.resolve("sys/block"));
        Files.createSymbolicLink(
                own.resolve("sys/block/vda"), Path.of("../devices/platform/a000000.virtio_mmio/virtio0/block/vda"));
        DeviceInterrupts disk = InterruptMap.read(own).device("vda").orElseThrow();
        assertThat(numbers(disk.interrupts())).containsExactly(5);
        assertThat(disk.handlingCpus()).isEqualTo(CpuSet.of(0));
    }

    @ParameterizedTest
    @CsvSource({
        "virtio1-config, true, false, -1",
        "virtio1-req.0, false, false, 0",
        "virtio2-input.3, false, false, 3",
        "virtio2-output.3, false, true, 3",
        "virtio3-tx, false, true, -1",
        "nvme0q0, true, false, 0",
        "nvme0q12, false, false, 12",
        "eth0-TxRx-7, false, false, 7",
        "i40e-eth0-TxRx-7, false, false, 7",
        "i40e-0000:3b:00.0:misc, true, false, -1",
        "eth0-tx-2, false, true, 2",
        "eth0-q0-tx, false, true, -1",
        "mlx5_comp11@pci:0000:81:00.0, false, false, 11",
        "mlx5_async0@pci:0000:81:00.0, true, false, 0",
        "ena-mgmnt@pci:0000:00:05.0, true, false, -1",
        "ahci[0000:00:1f.2], false, false, -1",
        "megasas0-msix5, false, false, 5",
    })
    void driversNameWhatTheirInterruptsAreFor(String action, boolean control, boolean transmit, int queue) {
        Interrupt interrupt = new Interrupt(1, action, CpuSet.empty(), CpuSet.empty(), new TreeMap<>());
        assertThat(interrupt.control()).isEqualTo(control);
        assertThat(interrupt.transmitOnly()).isEqualTo(transmit);
        assertThat(interrupt.queue().orElse(-1)).isEqualTo(queue);
    }

    /** Every number that the kernel lists below a PCI function, and where it delivers it, as grep would find them. */
    @Test
    void readsThisMachineAsItsFilesAre() throws IOException {
        InterruptMap map = InterruptMap.read(Path.of("/"));
        for (DeviceInterrupts device : map.devices()) {
            Path messages = Path.of("/sys/bus/pci/devices", device.hardware(), "msi_irqs");
            if (!Files.isDirectory(messages)) {
                continue;
            }
            List<Integer> expected = new ArrayList<>();
            try (var entries = Files.list(messages)) {
                entries.forEach(entry ->
                        expected.add(Integer.valueOf(entry.getFileName().toString())));
            }
            assertThat(numbers(device.interrupts())).containsExactlyInAnyOrderElementsOf(expected);
            for (Interrupt interrupt : device.interrupts()) {
                String line = line(interrupt.number());
                assertThat(line).endsWith(interrupt.action());
                Path file = Path.of("/proc/irq/" + interrupt.number() + "/smp_affinity_list");
                assertThat(interrupt.allowed())
                        .hasToString(Files.readString(file).strip());
            }
        }
    }

    private static String line(int number) throws IOException {
        Matcher line =
                Pattern.compile("(?m)^ *" + number + ":.*$").matcher(Files.readString(Path.of("/proc/interrupts")));
        assertThat(line.find()).isTrue();
        return line.group().stripTrailing();
    }

    private static List<Integer> numbers(List<Interrupt> interrupts) {
        return interrupts.stream().map(Interrupt::number).toList();
    }
}
