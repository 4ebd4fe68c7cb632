package org.berth.observation.internal.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.berth.observation.FakeRoot;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkInterfacesTest {
    private static final String HEADING =
            "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT";

    @TempDir
    private Path root;

    @Test
    void theDefaultRouteWithTheLowestMetricLeadsToOtherHosts() throws IOException {
        NetworkInterfaces interfaces = new NetworkInterfaces(new SystemFiles(root));
        new FakeRoot(root).file("proc/net/route", HEADING);
        assertThat(interfaces.ofDefaultRoute()).isEqualTo(Reading.absent("/proc/net/route has no default route"));
        new FakeRoot(root)
                .file(
                        "proc/net/route",
                        String.join(
                                "\n",
                                HEADING,
                                "wlan0\t00000000\t010200C0\t0003\t0\t0\t600\t00000000\t0\t0\t0",
                                "eth1\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0",
                                "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"));
        assertThat(interfaces.ofDefaultRoutes().value().orElseThrow()).containsExactly("eth1", "wlan0");
        assertThat(interfaces.ofDefaultRoute()).isEqualTo(Reading.of("eth1"));
    }

    /** The driver of bonds has a file next to the folders of interfaces. */
    @Test
    void filesAreNoInterfaces() throws IOException {
        new FakeRoot(root).file("sys/class/net/bonding_masters", "").file("sys/class/net/eth0/operstate", "up");
        NetworkInterfaces interfaces = new NetworkInterfaces(new SystemFiles(root));
        assertThat(interfaces.names().value().orElseThrow()).containsExactly("eth0");
        assertThat(interfaces.exists("eth0")).isEqualTo(Reading.of(true));
        assertThat(interfaces.exists("eth1")).isEqualTo(Reading.of(false));
    }

    @Test
    void routesThatAreHiddenAreNotNone() {
        assertThat(new NetworkInterfaces(new SystemFiles(root)).ofDefaultRoute().refusal())
                .isPresent();
    }
}
