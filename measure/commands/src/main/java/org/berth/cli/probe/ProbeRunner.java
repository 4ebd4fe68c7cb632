package org.berth.cli.probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.binding.Binder;
import org.berth.cli.plan.DynamicOptions;
import org.berth.cli.shared.CommandException;
import org.berth.observation.internal.devices.DeviceTrace;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.placement.internal.dynamic.ServiceCore;
import org.berth.probes.DirectDiskWrite;
import org.berth.probes.MessageServer;
import org.berth.probes.NetworkReceive;
import org.berth.probes.Probe;
import org.berth.probes.ProbePlace;
import org.berth.probes.ProbeSample;
import org.berth.probes.Transfer;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** Finds the classes of cores for a device, and runs a probe on them. */
final class ProbeRunner {
    static final int MAX_MEGABYTES = 1024;

    private static final String HANDLED = "interrupts handled";
    private static final Path ROOT = Path.of("/");

    private final Topology topology;
    private final Binder binder;
    private final Amount amount;

    /** Number and size of messages. */
    record Amount(int runs, int megabytes) {
        int sizeBytes() {
            return (int) Math.min(Integer.MAX_VALUE - (1L << 20), (long) megabytes << 20);
        }
    }

    ProbeRunner(Topology topology, Binder binder, Amount amount) {
        this.topology = topology;
        this.binder = binder;
        this.amount = amount;
    }

    ProbeResult disk(Path volume, Optional<String> cpus) throws IOException, InterruptedException {
        DynamicOptions.Reference disk = cpus.isPresent()
                ? given("--disk", cpus.get(), "the disk of " + volume)
                : DynamicOptions.ofTrace("--volume", DeviceTrace.ofPath(volume, ROOT), "disk", " of " + volume);
        DynamicPlacement placement = placement(disk.interrupts(), InterruptReference.unknown());
        return run(
                "disk",
                amount.megabytes() + " MB written without the page cache (O_DIRECT)",
                HANDLED,
                disk,
                ProbeClass.of(placement, true),
                () -> DirectDiskWrite.open(volume, amount.sizeBytes()),
                List.of());
    }

    /** The kernel processes a packet of the loopback on the sending CPU, as it does in an adapter's interrupt. */
    ProbeResult loopback(Optional<String> cpus) throws IOException, InterruptedException {
        DynamicPlacement unknown = placement(InterruptReference.unknown(), InterruptReference.unknown());
        CpuSet first =
                unknown.cores().stream().findFirst().map(ServiceCore::cpus).orElse(topology.allowedCpuSet());
        DynamicOptions.Reference sender = cpus.isPresent()
                ? given("--nic", cpus.get(), "the loopback")
                : new DynamicOptions.Reference("the loopback", InterruptReference.ofCpus(first));
        CpuSet usable = sender.interrupts().handlingCpus().intersection(topology.allowedCpuSet());
        if (usable.isEmpty()) {
            throw CommandException.usage(
                    "--nic: none of these CPUs is allowed here; choose from " + topology.allowedCpuSet());
        }
        try (MessageServer messages = MessageServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), binder, Optional.of(usable))) {
            return run(
                    "network",
                    amount.megabytes() + " MB received from this host",
                    "sent",
                    sender,
                    ProbeClass.of(placement(InterruptReference.unknown(), sender.interrupts()), false),
                    () -> NetworkReceive.open(messages.address(), amount.sizeBytes()),
                    List.of("no adapter and no interrupt took part: the sending core, CPU " + usable
                            + ", stands for the core that handles interrupts, since the kernel processes packets of the"
                            + " loopback where they are sent; on [NS] sender and receiver share one core"));
        }
    }

    ProbeResult peer(InetSocketAddress peer, Optional<String> cpus) throws IOException, InterruptedException {
        DynamicOptions.Reference adapter = cpus.isPresent()
                ? given("--nic", cpus.get(), "the adapter to " + peer.getHostString())
                : DynamicOptions.ofTrace(
                        "--peer",
                        DeviceTrace.ofPeer(peer.getAddress(), ROOT),
                        "network adapter",
                        " to " + peer.getHostString());
        return run(
                "network",
                amount.megabytes() + " MB received from " + peer.getHostString(),
                HANDLED,
                adapter,
                ProbeClass.of(placement(InterruptReference.unknown(), adapter.interrupts()), false),
                () -> NetworkReceive.open(peer, amount.sizeBytes()),
                List.of(
                        "each core has its own connection; an adapter with several queues may handle each connection on a"
                                + " different core of the reference"));
    }

    private DynamicOptions.Reference given(String option, String text, String name) {
        if (!text.startsWith("cpu:")) {
            throw CommandException.usage(option + " " + text + ": write cpu: and a list such as cpu:0-3");
        }
        return DynamicOptions.ofCpus(option, text, topology, name);
    }

    private DynamicPlacement placement(InterruptReference disk, InterruptReference network) {
        return DynamicPlacement.of(topology, DynamicPolicy.INTERRUPT, disk, network);
    }

    private ProbeResult run(
            String device,
            String what,
            String verb,
            DynamicOptions.Reference reference,
            List<ProbeClass> classes,
            Transfer.Opening opening,
            List<String> notes)
            throws IOException, InterruptedException {
        CpuSet handling = reference.interrupts().handlingCpus();
        List<ProbePlace> places =
                classes.stream().flatMap(one -> one.place().stream()).toList();
        if (places.isEmpty()) {
            throw CommandException.failure("no core to probe " + reference.name() + ": "
                    + classes.get(0).reason() + "; give " + (device.equals("disk") ? "--disk" : "--nic") + " cpu:LIST");
        }
        List<ProbeSample> samples;
        try (Probe probe = Probe.open(
                binder, device.equals("disk") ? "probe-disk" : "probe-net", places, amount.sizeBytes(), opening)) {
            samples = probe.run(amount.runs());
        }
        List<String> all = new ArrayList<>(notes);
        if (places.size() == 1) {
            all.add("this machine has cores of one class only: nothing to compare");
        }
        return new ProbeResult(
                device,
                what + ", " + amount.runs() + " times on each core in turn",
                reference.name() + (handling.isEmpty() ? "" : ", " + verb + " on CPU " + handling),
                handling,
                amount.sizeBytes(),
                classes,
                samples,
                all);
    }
}
