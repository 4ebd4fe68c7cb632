package org.berth.numavm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.cli.Main;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;
import org.berth.placement.DevicePolicy;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.transport.AdapterChoice;
import org.berth.transport.HostFacts;
import org.berth.transport.NetworkDevice;
import org.berth.transport.NetworkDevices;
import org.berth.transport.Transport;
import org.berth.transport.TransportSettings;

/**
 * The transport over RDMA in software, between JVMs of the guest: the driver of rxe counts what really went over it.
 */
@SuppressWarnings("try") // a transport is there to be closed
final class RdmaTransportChecks {
    private static final String SIZES = "1 100 4096 65536 1048576";
    private static final int ASKED = 5;
    private static final String HEAP = "-Xmx160m";

    private RdmaTransportChecks() {}

    /** What every run of the guest of two nodes checks; makes the device. */
    static void runShort(Checks checks, Topology machine) {
        checks.check("there is RDMA in software", SoftRdma::start);
        basics(checks, machine);
    }

    /** Requires the device to be present. */
    static void run(Checks checks, Topology machine) {
        basics(checks, machine);
        checks.check("messages of 1 B to 1 MB go over verbs, wait mode spin", () -> overVerbs("spin"));
        checks.check("messages over TCP are no packets of rxe0", () -> {
            Checks.same("packets", 0L, echo("tcp", "providers=tcp"));
        });
        checks.check("a peer that RDMA does not reach is reached all the same", RdmaTransportChecks::otherAddress);
    }

    private static void basics(Checks checks, Topology machine) {
        checks.check("rxe0 is found near the last node, and taken", () -> taken(machine));
        checks.check("messages of 1 B to 1 MB go over verbs, wait mode event", () -> overVerbs("event"));
        for (DevicePolicy policy : DevicePolicy.values()) {
            checks.check("progress threads by " + policy.word() + " are where they belong near rxe0", () -> {
                masks(policy, machine);
            });
        }
    }

    private static void overVerbs(String wait) throws IOException {
        long packets = echo("ucx", "providers=ucx", "ucx=" + SoftRdma.UCX, "wait=" + wait);
        Checks.holds("only " + packets + " packets over rxe0", packets > 2 * ASKED * (1 << 20) / 4096);
    }

    private static void taken(Topology machine) {
        NodeSet last = NodeSet.of(machine.nodeSet().last());
        AdapterChoice choice =
                AdapterChoice.of(NetworkDevices.read(Path.of("/")), AdapterChoice.AUTO, machine.allowedNodeSet());
        NetworkDevice device = choice.device().orElseThrow(() -> new AssertionError(choice.reason()));
        Checks.same("the adapter's RDMA", SoftRdma.NAME + ":1", device.rdma().orElse("none"));
        Checks.same("its node", last, NodeSet.of(device.node()));
        Checks.same("its kind", HostFacts.DeviceKind.SOFT_RDMA, device.kind());
        Checks.same(
                "limit of a wait for its events",
                "2ms",
                TransportSettings.defaults("guest").tuned().stream()
                        .filter(one -> one.parameter().key().equals("ucx-wait-limit"))
                        .findFirst()
                        .orElseThrow()
                        .value());
        Child.Result shown = Child.run(java(Main.class, "transport", "devices"));
        Checks.holds(shown.out() + shown.err(), shown.out().contains("Taken: eth0"));
        Checks.holds(
                shown.out(),
                shown.out().lines().anyMatch(line -> line.matches("eth0 +rxe0:1 .* up .* " + last + " .*")));
    }

    /**
     * Because of {@link SoftRdma#ADDRESS_VARIABLE} UCX begins a connection that never stands, and the engine gives that
     * up.
     */
    private static void otherAddress() {
        String[] settings = {"providers=ucx", "ucx=" + SoftRdma.UCX};
        try (Child server = Child.start(ofIpv4(java(TransportPeer.class, with("server", settings))));
                Child client = Child.start(ofIpv4(client(server, settings)))) {
            Checks.holds("no connection", client.readLine().matches("over (tcp|ucx)"));
            client.send("ask 1 1 4096");
            Checks.same("answers", "right 2", client.readLine());
            noBufferLeft(client);
        }
    }

    /** Packets of rxe0 while one process asks another. */
    private static long echo(String provider, String... settings) throws IOException {
        try (Child server = Child.start(java(TransportPeer.class, with("server", settings)));
                Child client = Child.start(client(server, settings))) {
            Checks.same("the provider", "over " + provider, client.readLine());
            long before = SoftRdma.sentPackets();
            client.send("ask " + ASKED + " " + SIZES);
            Checks.same("answers", "right " + ASKED * SIZES.split(" ", -1).length, client.readLine());
            long packets = SoftRdma.sentPackets() - before;
            noBufferLeft(client);
            noBufferLeft(server);
            return packets;
        }
    }

    private static ProcessBuilder ofIpv4(ProcessBuilder command) {
        command.environment().put(SoftRdma.ADDRESS_VARIABLE, SoftRdma.IPV4);
        return command;
    }

    private static ProcessBuilder client(Child server, String... settings) {
        return client(server.readUntil("listens ").substring("listens ".length()), settings);
    }

    static ProcessBuilder client(String address, String... settings) {
        List<String> words = new ArrayList<>(List.of("client", address));
        words.addAll(Arrays.asList(settings));
        return java(TransportPeer.class, words.toArray(String[]::new));
    }

    static String[] with(String first, String... rest) {
        List<String> words = new ArrayList<>(List.of(first));
        words.addAll(Arrays.asList(rest));
        return words.toArray(String[]::new);
    }

    /** What was asked last may still be under way. */
    static void noBufferLeft(Child peer) {
        Await.until("all buffers are given back", () -> {
            peer.send("leased");
            return peer.readLine().equals("leased 0");
        });
    }

    private static void masks(DevicePolicy policy, Topology machine) throws Exception {
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
                Checks.same("threads " + kind + "N", wanted, threads);
                Checks.same("all CPUs of threads " + kind + "N", isEverywhere(policy) ? machine.cpuSet() : near, used);
            }
        }
    }

    private static void requirePlace(DevicePolicy policy, CpuSet mask, CpuSet near) throws IOException {
        Checks.same("mask", policy == DevicePolicy.O2ACS ? near : group(policy, mask.first(), near), mask);
        Checks.holds(mask + " is not near " + near, isEverywhere(policy) || near.containsAll(mask));
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

    /** A JVM with the class path of this one. */
    static ProcessBuilder java(Class<?> main, String... arguments) {
        List<String> command = LiveChecks.java();
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", HEAP, main.getName()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/tmp").toFile());
        builder.environment().put(SoftRdma.ADDRESS_VARIABLE, SoftRdma.IPV6);
        return builder;
    }
}
