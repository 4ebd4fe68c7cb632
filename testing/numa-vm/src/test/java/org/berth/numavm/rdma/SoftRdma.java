package org.berth.numavm.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.numavm.devices.GuestNic;
import org.berth.oracle.Await;

/** RDMA in software (rxe) over the guest's NIC. What went over it, its driver counts: every packet of every protocol of RDMA. */
final class SoftRdma {
    static final String NAME = "rxe0";
    static final String ADDRESS = "10.0.2.15";
    static final Path DEVICE = Path.of("/sys/class/infiniband/" + NAME);

    /** What UCX is told, so that nothing but RDMA can carry a message. */
    static final String UCX = "TLS=rc_verbs,ud_verbs,self NET_DEVICES=" + NAME + ":1";

    /**
     * UCX's variable for the address of the device that it uses, by the number in the folder gids. The first one is of IPv6, and
     * UCX takes that of IPv4 by itself. On kernel 6.1 UCX 1.13 throws away the datagrams that come to that one from the host
     * itself, so that no connection begins.
     */
    static final String ADDRESS_VARIABLE = "UCX_IB_GID_INDEX";

    static final String IPV6 = "0";
    static final String IPV4 = "1";

    private static final Path COUNTERS = DEVICE.resolve("ports/1/hw_counters");

    private SoftRdma() {}

    /** Makes the device, unless it is there, which stays until the guest ends; returns when it is active. */
    static void start() throws IOException, InterruptedException {
        nicUp();
        if (Files.exists(DEVICE)) {
            up();
            return;
        }
        for (String module : Files.readAllLines(Path.of("/modules/rdma"))) {
            if (!Files.exists(Path.of("/sys/module/" + name(module)))) {
                run("/bin/busybox", "insmod", module);
            }
        }
        run("rdma", "link", "add", NAME, "type", "rxe", "netdev", GuestNic.NAME);
        up();
    }

    /** The module as the kernel names it. */
    private static String name(String file) {
        return file.replaceFirst(".*/", "").replaceFirst("\\.ko.*", "").replace('-', '_');
    }

    private static void nicUp() throws IOException, InterruptedException {
        run("/bin/busybox", "ifconfig", GuestNic.NAME, ADDRESS, "netmask", "255.255.255.0", "up");
    }

    /** The NIC with its address; returns when the device is active. */
    static void up() throws IOException, InterruptedException {
        nicUp();
        Await.until(
                NAME + " is active",
                () -> Files.readString(DEVICE.resolve("ports/1/state")).contains("ACTIVE"));
    }

    /** The NIC is down, and with it what RDMA goes by. */
    static void down() throws IOException, InterruptedException {
        run("/bin/busybox", "ifconfig", GuestNic.NAME, "down");
    }

    /** Packets that the device has sent so far. */
    static long sentPackets() throws IOException {
        return Long.parseLong(Files.readString(COUNTERS.resolve("sent_pkts")).strip());
    }

    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("exit code of " + String.join(" ", command) + " that said " + output)
                .isEqualTo(0);
    }
}
