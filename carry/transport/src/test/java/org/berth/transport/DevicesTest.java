package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.topology.NodeSet;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.HostFacts;
import org.berth.transport.host.NetworkDevice;
import org.berth.transport.host.NetworkDevices;
import org.berth.transport.settings.TransportSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The network adapters of a host as the kernel shows them in files, and the choice of one. */
final class DevicesTest {
    @TempDir
    private Path root;

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private void link(String path, String target) throws IOException {
        Path link = root.resolve(path);
        Files.createDirectories(link.getParent());
        Files.createDirectories(root.resolve(target));
        Files.createSymbolicLink(link, root.resolve(target));
    }

    /** The tree as a guest of QEMU shows it: virtio below a PCI device of node 1, and rxe over it. */
    @Test
    void virtioAndSoftRoceAreFoundThroughTheirParents() throws IOException {
        String pci = "sys/devices/pci0000:80/0000:80:00.0/0000:81:00.0";
        file(pci + "/numa_node", "1");
        file(pci + "/virtio0/net/eth0/operstate", "up");
        file(pci + "/virtio0/net/eth0/speed", "-1");
        link("sys/class/net/eth0", pci + "/virtio0/net/eth0");
        link(pci + "/virtio0/net/eth0/device", pci + "/virtio0");
        file("sys/devices/virtual/infiniband/rxe0/parent", "eth0");
        file("sys/devices/virtual/infiniband/rxe0/ports/1/state", "4: ACTIVE");
        link("sys/class/infiniband/rxe0", "sys/devices/virtual/infiniband/rxe0");
        file("sys/class/net/lo/operstate", "unknown");
        file(
                "proc/net/route",
                "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
                        + "eth0\t00000000\t0202000A\t0003\t0\t0\t0\t00000000\t0\t0\t0");
        NetworkDevice eth0 = new NetworkDevice("eth0", Optional.of("rxe0:1"), true, true, true, 0, 1, true);
        assertThat(NetworkDevices.read(root).value().orElseThrow()).containsExactly(eth0);
        assertThat(eth0.kind()).isEqualTo(HostFacts.DeviceKind.SOFT_RDMA);
        assertThat(HostFacts.of(root, AdapterChoice.AUTO).device()).isEqualTo(HostFacts.DeviceKind.SOFT_RDMA);
    }

    @Test
    void anAdapterWithRdmaIsFoundByItsInterface() throws IOException {
        String pci = "sys/devices/pci0000:00/0000:03:00.0";
        file(pci + "/numa_node", "0");
        file(pci + "/net/ib0/operstate", "up");
        file(pci + "/net/ib0/speed", "200000");
        file(pci + "/infiniband/mlx5_0/ports/1/state", "1: DOWN");
        link("sys/class/net/ib0", pci + "/net/ib0");
        link(pci + "/net/ib0/device", pci);
        link("sys/class/infiniband/mlx5_0", pci + "/infiniband/mlx5_0");
        link(pci + "/infiniband/mlx5_0/device", pci);
        assertThat(NetworkDevices.read(root).value().orElseThrow())
                .containsExactly(
                        new NetworkDevice("ib0", Optional.of("mlx5_0:1"), false, true, false, 200_000, 0, false));
    }

    @Test
    void aHostWithoutAdaptersHasNone() throws IOException {
        file("sys/class/net/lo/operstate", "unknown");
        assertThat(NetworkDevices.read(root)).isEqualTo(Reading.of(List.of()));
        AdapterChoice choice = AdapterChoice.of(List.of(), AdapterChoice.AUTO, NodeSet.of(0));
        assertThat(choice.device()).isEmpty();
        assertThat(choice.reason()).contains("no network adapter");
        assertThat(HostFacts.of(root, AdapterChoice.AUTO).device()).isEqualTo(HostFacts.DeviceKind.NONE);
    }

    @Test
    void adaptersThatCannotBeSeenAreNotNone() {
        assertThat(HostFacts.of(root, AdapterChoice.AUTO).device()).isEqualTo(HostFacts.DeviceKind.UNKNOWN);
        assertThat(AdapterChoice.of(NetworkDevices.read(root), AdapterChoice.AUTO, NodeSet.of(0))
                        .reason())
                .startsWith("the network adapters are not known: there is no /sys/class/infiniband");
    }

    /** An engine that did not look for its adapter would never take RDMA by itself. */
    @Test
    void theAdapterDecidesWhichProvidersAnEngineTakes() throws IOException {
        file("sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE");
        file("sys/class/infiniband/mlx5_0/device/net/ib0/operstate", "up");
        file("sys/class/net/ib0/device/numa_node", "1");
        file("sys/class/net/eth0/operstate", "up");
        file("sys/class/net/eth0/device/numa_node", "0");
        file("proc/self/status", "Name:\tjava\nMems_allowed_list:\t0-1");
        HostFacts host = HostFacts.of(root, AdapterChoice.AUTO);
        assertThat(host.device()).isEqualTo(HostFacts.DeviceKind.RDMA);
        assertThat(TransportSettings.resolve("test", host, key -> null).providers())
                .startsWith("ucx");
        assertThat(HostFacts.of(root, "eth0").device()).isEqualTo(HostFacts.DeviceKind.ETHERNET);
    }

    /** The settings of engines are those of the adapter that this host has. */
    @Test
    void enginesLookForTheAdapter() {
        HostFacts host = HostFacts.of(Path.of("/"), AdapterChoice.AUTO);
        assertThat(TransportSettings.defaults("test")).isEqualTo(TransportSettings.resolve("test", host, key -> null));
    }

    private static NetworkDevice device(String words) {
        String[] word = words.split(" ", -1);
        return new NetworkDevice(
                word[0],
                Optional.of(word[1]).filter(name -> !name.equals("-")),
                word[1].startsWith("rxe"),
                !word[0].startsWith("br"),
                word[2].equals("up"),
                Long.parseLong(word[3]),
                Integer.parseInt(word[4]),
                word[5].equals("route"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            eth0 - up 10000 0 route   | eth1 - up 25000 1 -       | auto   | eth1 | it is the fastest, with 25000 Mbit/s
            eth0 - up 10000 0 route   | eth1 - down 25000 1 -     | auto   | eth0 | the only adapter whose link is up
            eth0 - up 10000 0 -       | eth1 - up 10000 1 route   | auto   | eth1 | it is near this process, at node 1
            eth0 - up 10000 0 -       | eth1 - up 10000 0 route   | auto   | eth1 | the default route uses it
            eth0 - up 10000 0 -       | eth1 - up 10000 0 -       | auto   | eth0 | it is the first by name among equal ones
            eth0 - up 100000 1 -      | ib0 mlx5_0:1 up 40000 0 - | auto   | ib0  | it has RDMA
            eth0 rxe0:1 up 10000 -1 - | eth1 - up 25000 1 -       | auto   | eth1 | it is the fastest, with 25000 Mbit/s
            br0 - up 100000 -1 route  | eth1 - up 1000 1 -        | auto   | eth1 | the only adapter whose link is up
            eth0 - up 10000 0 -       | eth1 - down 25000 1 -     | eth1   | eth1 | named by option device
            eth0 - up 10000 0 -       | ib0 mlx5_0:1 up 40000 0 - | mlx5_0 | ib0  | named by option device
            """)
    void theFirstOfUpFastNearRouteIsTaken(String one, String other, String wanted, String taken, String reason) {
        AdapterChoice choice = AdapterChoice.of(List.of(device(one), device(other)), wanted, NodeSet.of(1));
        assertThat(choice.device()).map(NetworkDevice::name).contains(taken);
        assertThat(choice.reason()).isEqualTo(reason);
        assertThat(AdapterChoice.of(List.of(device(other), device(one)), wanted, NodeSet.of(1)))
                .as("the order of the list does not matter")
                .isEqualTo(choice);
    }
}
