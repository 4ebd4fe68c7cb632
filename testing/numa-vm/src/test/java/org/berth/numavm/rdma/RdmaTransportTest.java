package org.berth.numavm.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.cli.Main;
import org.berth.numavm.Guest;
import org.berth.numavm.Nodes;
import org.berth.numavm.devices.GuestNic;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;
import org.berth.placement.DevicePolicy;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.berth.transport.Transport;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.HostFacts;
import org.berth.transport.host.NetworkDevice;
import org.berth.transport.host.NetworkDevices;
import org.berth.transport.settings.TransportSettings;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transport over RDMA in software, between JVMs of the guest: the driver of rxe counts what really went over it. */
@SuppressWarnings("try") // a transport is there to be closed
@Tag(Guest.TAG)
class RdmaTransportTest {
    private static final String SIZES = "1 100 4096 65536 1048576";
    private static final int ASKED = 5;

    private final Topology machine = Guest.topology();

    @BeforeAll
    static void makeTheDevice() throws Exception {
        SoftRdma.start();
    }

    @Test
    @Tag("rdma")
    void messagesOf1BTo1MbGoOverVerbsInWaitModeEvent() throws IOException {
        overVerbs("event");
    }

    @Test
    @Tag("rdma-transport")
    void messagesOf1BTo1MbGoOverVerbsInWaitModeSpin() throws IOException {
        overVerbs("spin");
    }

    @Test
    @Tag("rdma-transport")
    void messagesOverTcpAreNoPacketsOfTheAdapter() throws IOException {
        assertThat(echo("tcp", "providers=tcp")).isZero();
    }

    private static void overVerbs(String wait) throws IOException {
        long packets = echo("ucx", "providers=ucx", "ucx=" + SoftRdma.UCX, "wait=" + wait);
        assertThat(packets > 2 * ASKED * (1 << 20) / 4096)
                .as("only " + packets + " packets over rxe0")
                .isTrue();
    }

    @Test
    @Tag("rdma")
    void theAdapterIsFoundNearTheLastNodeAndTaken() {
        NodeSet last = NodeSet.of(machine.nodeSet().last());
        AdapterChoice choice =
                AdapterChoice.of(NetworkDevices.read(Path.of("/")), AdapterChoice.AUTO, machine.allowedNodeSet());
        NetworkDevice device = choice.device().orElseThrow(() -> new AssertionError(choice.reason()));
        assertThat(device.rdma().orElse("none")).as("the adapter's RDMA").isEqualTo(SoftRdma.NAME + ":1");
        assertThat(NodeSet.of(device.node())).as("its node").isEqualTo(last);
        assertThat(device.kind()).as("its kind").isEqualTo(HostFacts.DeviceKind.SOFT_RDMA);
        assertThat(TransportSettings.defaults("guest").tuned().stream()
                        .filter(one -> one.parameter().key().equals("ucx-wait-limit"))
                        .findFirst()
                        .orElseThrow()
                        .value())
                .as("limit of a wait for its events")
                .isEqualTo("2ms");
        Child.Result shown = Child.run(RdmaPeers.java(Main.class, "transport", "devices"));
        assertThat(shown.out().contains("Taken: eth0"))
                .as(shown.out() + shown.err())
                .isTrue();
        assertThat(shown.out().lines().anyMatch(line -> line.matches("eth0 +rxe0:1 .* up .* " + last + " .*")))
                .as(shown.out())
                .isTrue();
    }

    /** By {@link SoftRdma#ADDRESS_VARIABLE} UCX begins a connection that never stands, and the engine gives that up. */
    @Test
    @Tag("rdma-transport")
    void aPeerThatRdmaDoesNotReachIsReachedAllTheSame() {
        String[] settings = {"providers=ucx", "ucx=" + SoftRdma.UCX};
        try (Child server = Child.start(ofIpv4(RdmaPeers.server(settings)));
                Child client = Child.start(ofIpv4(RdmaPeers.client(server, settings)))) {
            assertThat(client.readLine().matches("over (tcp|ucx)"))
                    .as("no connection")
                    .isTrue();
            client.send("ask 1 1 4096");
            assertThat(client.readLine()).as("answers").isEqualTo("right 2");
            RdmaPeers.noBufferLeft(client);
        }
    }

    /** Packets of rxe0 while one process asks another. */
    private static long echo(String provider, String... settings) throws IOException {
        try (Child server = Child.start(RdmaPeers.server(settings));
                Child client = Child.start(RdmaPeers.client(server, settings))) {
            assertThat(client.readLine()).as("the provider").isEqualTo("over " + provider);
            long before = SoftRdma.sentPackets();
            client.send("ask " + ASKED + " " + SIZES);
            assertThat(client.readLine()).as("answers").isEqualTo("right " + ASKED * SIZES.split(" ", -1).length);
            long packets = SoftRdma.sentPackets() - before;
            RdmaPeers.noBufferLeft(client);
            RdmaPeers.noBufferLeft(server);
            return packets;
        }
    }

    private static ProcessBuilder ofIpv4(ProcessBuilder command) {
        command.environment().put(SoftRdma.ADDRESS_VARIABLE, SoftRdma.IPV4);
        return command;
    }

    /** One for near cores alone and one for all; where the threads of the others go, ThreadsNearDeviceTest shows by the same plan. */
    static Stream<DevicePolicy> policies() {
        return Guest.isThorough()
                ? Stream.of(DevicePolicy.values())
                : Stream.of(DevicePolicy.O2NTS, DevicePolicy.O2OCC);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("policies")
    @Tag("rdma")
    void progressThreadsAreWhereTheirPolicyPutsThemNearTheAdapter(DevicePolicy policy) throws Exception {
        // One for each core, so that policies for all cores reach each of them.
        int wanted = machine.objects(ObjectType.CORE).size();
        CpuSet near = Nodes.cpus(Nodes.ofDevice("net/" + GuestNic.NAME));
        String name = policy.word();
        Map<String, String> options = Map.of(
                "providers",
                "ucx",
                "ucx",
                SoftRdma.UCX,
                "policy",
                name,
                "device",
                SoftRdma.NAME,
                "wait",
                "event",
                "threads",
                Integer.toString(wanted));
        try (Transport transport = Transport.open(TransportSettings.resolve(name, options::get))) {
            for (String kind : List.of(name + "-ucx-", name + "-")) {
                CpuSet used = CpuSet.empty();
                int threads = 0;
                for (ProcStatus thread :
                        ProcStatus.threads(ProcessHandle.current().pid())) {
                    if (thread.name().matches(kind + "\\d+")) {
                        CpuSet mask = CpuSet.parseList(thread.cpus());
                        requirePlace(policy, mask, near);
                        used = used.union(mask);
                        threads++;
                    }
                }
                assertThat(threads).as("threads " + kind + "N").isEqualTo(wanted);
                assertThat(used)
                        .as("all CPUs of threads " + kind + "N")
                        .isEqualTo(isEverywhere(policy) ? machine.cpuSet() : near);
            }
        }
    }

    private static void requirePlace(DevicePolicy policy, CpuSet mask, CpuSet near) throws IOException {
        assertThat(mask).as("mask").isEqualTo(policy == DevicePolicy.O2ACS ? near : group(policy, mask.first(), near));
        assertThat(isEverywhere(policy) || near.containsAll(mask))
                .as(mask + " is not near " + near)
                .isTrue();
    }

    /** A core, or where it has one thread the few cores that share a cache (docs/background/near-a-device.md). */
    private static CpuSet group(DevicePolicy policy, int cpu, CpuSet near) throws IOException {
        CpuSet core = Nodes.core(cpu);
        if (core.size() > 1 || policy == DevicePolicy.O2OCS || policy == DevicePolicy.O2OCC) {
            return core;
        }
        CpuSet cache = Nodes.cache(cpu, 3);
        return cache.size() < near.size() ? cache : core;
    }

    private static boolean isEverywhere(DevicePolicy policy) {
        return policy == DevicePolicy.O2NTC || policy == DevicePolicy.O2OCC;
    }
}
