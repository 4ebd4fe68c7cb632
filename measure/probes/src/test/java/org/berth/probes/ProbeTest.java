package org.berth.probes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real writes and connections; where the threads are is read from /proc. */
@Timeout(240)
class ProbeTest {
    private static final int MEGABYTE = 1 << 20;

    private final LocalMachine machine = LocalMachine.open();
    private final Binder binder = machine.binder();
    private final CpuSet allowed = machine.topology().allowedCpuSet();

    @TempDir
    Path folder;

    @Test
    void threadsAreAtTheirPlacesAndGoneAfterwards() throws Exception {
        List<ProbePlace> places =
                List.of(place("a", allowed.first()), place("b", allowed.last()), new ProbePlace("all", allowed));
        try (MessageServer server = MessageServer.start(loopback(0), binder, Optional.of(CpuSet.of(allowed.last())))) {
            InetSocketAddress address = server.address();
            try (Probe probe =
                    Probe.open(binder, "probe", places, MEGABYTE, () -> NetworkReceive.open(address, MEGABYTE))) {
                List<ProbeSample> samples = probe.run(3);

                assertThat(masks("probe-a")).containsOnly(CpuSet.of(allowed.first()));
                assertThat(masks("probe-b")).containsOnly(CpuSet.of(allowed.last()));
                assertThat(masks("probe-all")).containsOnly(allowed);
                assertThat(masks("probe-sender")).hasSize(3).containsOnly(CpuSet.of(allowed.last()));
                assertThat(samples.stream().map(one -> one.round() + one.place()))
                        .containsExactly("1a", "1b", "1all", "2all", "2b", "2a", "3a", "3b", "3all");
                assertThat(samples).allSatisfy(one -> {
                    assertThat(one.megabytesPerSecond() * one.seconds()).isCloseTo(1, offset());
                    assertThat(cpus(places, one).contains(one.lastCpu())).isTrue();
                    assertThat(one.cpuSeconds()).isNotNegative();
                });
            }
        }
        awaitEnd("probe-a", "probe-b", "probe-all", "probe-sender");
        assertThat(binder.threadCpus()).isEqualTo(allowed);
    }

    /** The kernel's own count of what this process caused to be written to a device. */
    @Test
    void writesReachTheDiskAndLeaveNothing() throws Exception {
        Path disk = Files.createTempDirectory(Path.of("target"), "probe");
        try {
            long before = writtenBytes();
            List<ProbePlace> places = List.of(place("disk", allowed.first()));
            try (Probe probe =
                    Probe.open(binder, "probe", places, MEGABYTE, () -> DirectDiskWrite.open(disk, MEGABYTE))) {
                assertThat(probe.run(4)).hasSize(4);
                assertThat(masks("probe-disk")).containsOnly(CpuSet.of(allowed.first()));
                assertThat(writtenBytes() - before).isGreaterThanOrEqualTo(5L * MEGABYTE);
                try (Stream<Path> names = Files.list(disk)) {
                    assertThat(names).isEmpty();
                }
            } catch (IOException e) {
                assumeThat(e.getMessage())
                        .as("a file system without direct writes")
                        .doesNotContain("not support");
                throw e;
            }
        } finally {
            Files.delete(disk);
        }
    }

    @Test
    void whatCannotBeOpenedIsOneLine() throws Exception {
        List<ProbePlace> places = List.of(place("a", allowed.first()));
        InetSocketAddress nobody;
        try (MessageServer server = MessageServer.start(loopback(0), binder, Optional.empty())) {
            nobody = server.address();
            assertThatThrownBy(() -> MessageServer.start(nobody, binder, Optional.empty()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen at")
                    .hasMessageContaining("another address or port");
        }
        assertThatThrownBy(() -> Probe.open(binder, "probe", places, 1, () -> NetworkReceive.open(nobody, MEGABYTE)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot connect to")
                .hasMessageContaining(Integer.toString(nobody.getPort()));
        assertThatThrownBy(() -> DirectDiskWrite.open(folder.resolve("none"), MEGABYTE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot write to " + folder.resolve("none"));
        awaitEnd("probe-a");
    }

    @Test
    void theServerSendsNoMoreThanAMessage() throws Exception {
        try (MessageServer server = MessageServer.start(loopback(0), binder, Optional.empty());
                SocketChannel greedy = SocketChannel.open(server.address())) {
            greedy.write(ByteBuffer.allocate(Long.BYTES).putLong(0, Long.MAX_VALUE));
            assertThat(greedy.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    /** Once in a hundred times a client was let in after the close, and nothing ended its connection. */
    @Test
    void aClosedServerLetsNobodyIn() throws Exception {
        for (int i = 0; i < 300; i++) {
            InetSocketAddress address;
            try (MessageServer server = MessageServer.start(loopback(0), binder, Optional.empty())) {
                address = server.address();
            }
            assertThatThrownBy(() -> SocketChannel.open(address).close())
                    .as("connection %s after the close", i)
                    .isInstanceOf(IOException.class);
        }
    }

    private static Offset<Double> offset() {
        return Offset.offset(1e-6);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static ProbePlace place(String name, int cpu) {
        return new ProbePlace(name, CpuSet.of(cpu));
    }

    private static CpuSet cpus(List<ProbePlace> places, ProbeSample sample) {
        return places.stream()
                .filter(place -> place.name().equals(sample.place()))
                .findFirst()
                .orElseThrow()
                .cpus();
    }

    private static long writtenBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("write_bytes:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    /** What the kernel allows the threads of that name. */
    private static List<CpuSet> masks(String name) {
        return ProcStatus.masks(ProcessHandle.current().pid(), name::equals).values().stream()
                .map(CpuSet::parseList)
                .toList();
    }

    private static void awaitEnd(String... names) {
        Await.until(
                "the end of the threads",
                () -> Stream.of(names).allMatch(name -> masks(name).isEmpty()));
    }
}
