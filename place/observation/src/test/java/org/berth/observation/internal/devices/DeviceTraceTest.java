package org.berth.observation.internal.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.observation.FakeRoot;
import org.berth.observation.RecordedRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceTraceTest {
    @TempDir
    private static Path folder;

    /** One tree is written by hand after the kernel's documentation: its head says so. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            virtio-2cpu    | /                | vda
            virtio-2cpu    | /home/x          | vda
            virtio-2cpu    | /mnt/data/dn     | loop0 over vda
            virtio-2cpu    | /mnt/database    | vda
            server-2socket | /                | dm-3 over sda1 over sda
            server-2socket | /data/1/dfs      | dm-1 over dm-0 over md0 over sda2 over sda; dm-1 over dm-0 over md0 over sdb2 over sdb
            server-2socket | /data/2/dfs/data | nvme0n1p1 over nvme0n1
            server-2socket | /data/2/over/x   | sda1 over sda
            server-2socket | /data/with blank | nvme1n1
            server-2socket | /data/tree/dfs   | sda3 over sda; sdb3 over sdb
            server-2socket | /box/dfs         | nvme0n1p1 over nvme0n1
            """)
    void disksOfAPath(String machine, String path, String devices) throws IOException {
        DeviceTrace trace = DeviceTrace.ofPath(Path.of(path), RecordedRoot.unpack(machine, folder));
        assertThat(words(trace)).isEqualTo(devices);
        assertThat(trace.reason()).isEmpty();
        assertThat(trace.subject()).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            server-2socket | /dev/shm/x | /dev/shm is tmpfs, which lies on no disk that /sys shows
            server-2socket | /net/home  | /net is nfs4, which lies on no disk that /sys shows
            bridge-veth    | /data      | there is no /proc/self/mountinfo
            """)
    void saysWhyAPathHasNoDisk(String machine, String path, String reason) throws IOException {
        DeviceTrace trace = DeviceTrace.ofPath(Path.of(path), RecordedRoot.unpack(machine, folder));
        assertThat(trace.devices()).isEmpty();
        assertThat(trace.reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            virtio-2cpu    | 192.0.2.77        | eth0
            virtio-2cpu    | 8.8.8.8           | eth0
            virtio-2cpu    | fd00::9           | eth0
            virtio-2cpu    | 2001:db8::1       | eth0
            server-2socket | 10.0.1.77         | br100 over bond0.100 over bond0 over eth2; br100 over bond0.100 over bond0 over eth3
            server-2socket | 192.168.0.1       | br100 over bond0.100 over bond0 over eth2; br100 over bond0.100 over bond0 over eth3
            server-2socket | 10.0.2.9          | bond0 over eth2; bond0 over eth3
            """)
    void adaptersOfARoute(String machine, String peer, String devices) throws IOException {
        DeviceTrace trace = DeviceTrace.ofPeer(InetAddress.getByName(peer), RecordedRoot.unpack(machine, folder));
        assertThat(words(trace)).isEqualTo(devices);
        assertThat(trace.subject()).startsWith("the route to ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            virtio-2cpu    | 127.0.0.1   | it stays on this host (interface lo): no adapter takes part
            virtio-2cpu    | ::1         | it stays on this host (interface lo): no adapter takes part
            virtio-2cpu    | 192.0.2.2   | it stays on this host (interface lo): no adapter takes part
            virtio-2cpu    | fd00::2     | it stays on this host (interface lo): no adapter takes part
            server-2socket | 10.0.1.5    | it stays on this host (interface lo): no adapter takes part
            server-2socket | 10.0.4.1    | interface wg0 is made by software, and no adapter is visible below it
            server-2socket | 10.0.3.1    | no route to it in /proc/net/route or ipv6_route
            server-2socket | 2001:db8::1 | no route to it in /proc/net/route or ipv6_route
            bridge-veth    | 8.8.8.8     | no route to it in /proc/net/route or ipv6_route
            bridge-veth    | fe90::1     | no route to it in /proc/net/route or ipv6_route
            """)
    void saysWhyARouteHasNoAdapter(String machine, String peer, String reason) throws IOException {
        DeviceTrace trace = DeviceTrace.ofPeer(InetAddress.getByName(peer), RecordedRoot.unpack(machine, folder));
        assertThat(trace.devices()).isEmpty();
        assertThat(trace.reason()).isEqualTo(reason);
    }

    @Test
    void aContainersEndOfAPairIsSaidSo() throws IOException {
        Path root = RecordedRoot.unpack("bridge-veth", folder);
        DeviceTrace trace = DeviceTrace.ofPeer(InetAddress.getByName("10.2.5.5"), root);
        assertThat(trace.devices()).isEmpty();
        assertThat(trace.reason())
                .startsWith("interface v0 is one end of a pair")
                .endsWith("run it on the host");
        assertThat(DeviceTrace.ofInterface("nic7", root).reason()).contains("no interface nic7");
        assertThat(DeviceTrace.ofDisk("sdz", root).reason()).contains("no block device sdz");
    }

    @Test
    void layersThatGoInCirclesEnd(@TempDir Path own) throws IOException {
        FakeRoot root = new FakeRoot(own)
                .file("proc/self/mountinfo", "22 1 7:0 / / rw - ext4 /dev/loop0 rw")
                .file("sys/devices/virtual/block/loop0/loop/backing_file", "/self.img");
        Files.createDirectories(own.resolve("sys/dev/block"));
        Files.createSymbolicLink(own.resolve("sys/dev/block/7:0"), Path.of("../../devices/virtual/block/loop0"));
        DeviceTrace trace = DeviceTrace.ofPath(Path.of("/x"), root.path());
        assertThat(trace.devices()).isEmpty();
        assertThat(trace.reason()).isEqualTo("more than 16 layers on top of each other");
    }

    @Test
    void mountsThatCannotBeReadAreNotAbsent(@TempDir Path own) throws IOException {
        Files.createDirectories(own.resolve("proc/self/mountinfo"));
        DeviceTrace trace = DeviceTrace.ofPath(Path.of("/x"), own);
        assertThat(trace.devices()).isEmpty();
        assertThat(trace.reason()).startsWith("the mount of /x is not known: /proc/self/mountinfo cannot be read");
    }

    /** The kernel's own word for the disk below /: what df and the mount table of the JDK say. */
    @Test
    void findsTheDiskOfThisMachine() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        FileStore store;
        try {
            store = Files.getFileStore(here);
        } catch (IOException e) {
            // A chroot below the mount point: the mount table of the process has no mount of its root.
            DeviceTrace none = DeviceTrace.ofPath(here, Path.of("/"));
            assertThat(none.devices()).isEmpty();
            assertThat(none.reason()).contains("shows no mount of " + here);
            return;
        }
        assumeThat(store.name()).startsWith("/dev/");
        assumeThat(Path.of(store.name())).exists();
        String device = Path.of(store.name()).toRealPath().getFileName().toString();
        DeviceTrace trace = DeviceTrace.ofPath(here.resolve("not").resolve("there"), Path.of("/"));
        assertThat(trace.devices()).as(trace.reason()).isNotEmpty();
        assertThat(trace.devices()).allSatisfy(found -> {
            assertThat(Path.of("/sys/block", found.name())).exists();
            assertThat(found.layers().isEmpty() ? found.name() : found.layers().get(0))
                    .isEqualTo(device);
        });
        assertThat(DeviceTrace.ofDisk(device, Path.of("/")).devices()).isEqualTo(trace.devices());
    }

    private static String words(DeviceTrace trace) {
        List<String> words =
                trace.devices().stream().map(DeviceTrace.Device::toString).toList();
        return String.join("; ", words);
    }
}
