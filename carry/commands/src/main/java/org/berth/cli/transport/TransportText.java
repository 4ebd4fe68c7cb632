package org.berth.cli.transport;

import java.util.List;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.topology.CpuSet;
import org.berth.topology.DeviceLocality;
import org.berth.topology.Topology;
import org.berth.transport.ProviderStatus;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.HostFacts;
import org.berth.transport.host.NetworkDevice;
import org.berth.transport.settings.Tuning;

/** Adapters and parameters for people. Pure functions. */
final class TransportText {
    private TransportText() {}

    static String devices(
            Reading<List<NetworkDevice>> known,
            AdapterChoice choice,
            Topology topology,
            List<ProviderStatus> providers,
            int columns) {
        StringBuilder out = new StringBuilder();
        List<NetworkDevice> devices = known.orElse(List.of());
        if (known.refusal().isPresent()) {
            out.append("The network adapters of this host are not known.\n");
        } else if (devices.isEmpty()) {
            out.append("No network interface except the loopback one is in /sys/class/net.\n");
        } else {
            TextTable table = new TextTable(TextTable.Align.LEFT);
            table.row("INTERFACE", "RDMA", "LINK", "MBIT/S", "NODE", "NEAR CPUS", "DEFAULT ROUTE");
            devices.forEach(device -> table.row(
                    device.name(),
                    device.rdma()
                            .map(rdma -> rdma + (device.softRdma() ? " (software)" : ""))
                            .orElse("-"),
                    device.up() ? "up" : "down",
                    device.megabits() > 0 ? Long.toString(device.megabits()) : "-",
                    device.node() >= 0 ? Integer.toString(device.node()) : "-",
                    nearCpus(device, topology).map(CpuSet::toString).orElse("-"),
                    device.defaultRoute() ? "yes" : "-"));
            table.appendTo(out, columns);
        }
        WordWrap.append(
                out,
                "",
                choice.device()
                        .map(device -> "Taken: " + device.name() + ": " + choice.reason() + ".")
                        .orElse("No adapter is taken: " + choice.reason() + "."),
                columns);
        for (ProviderStatus provider : providers) {
            WordWrap.append(
                    out,
                    "Provider " + provider.name() + ": ",
                    (provider.works() ? "works, " : "does not work: ") + provider.detail() + ".",
                    columns);
        }
        return out.toString();
    }

    /** The CPUs near a device by the topology, or by the kernel's node if hwloc does not know the adapter. */
    static Optional<CpuSet> nearCpus(NetworkDevice device, Topology topology) {
        return topology.device(device.name())
                .map(topology::locality)
                .map(DeviceLocality::cpus)
                .or(() -> topology.numaNode(device.node()).map(node -> node.cpuSet()));
    }

    static String tuning(HostFacts host, List<Tuning.Tuned> tuned, int columns) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(
                out,
                "",
                host.architecture() + ", " + host.cpus() + " CPUs for this process, network adapter: "
                        + kind(host.device()),
                columns);
        TextTable table = new TextTable(TextTable.Align.LEFT);
        table.row("PARAMETER", "VALUE", "FROM");
        tuned.forEach(one -> table.row(one.parameter().key(), one.value(), one.origin()));
        table.appendTo(out, columns);
        return out.toString();
    }

    private static String kind(HostFacts.DeviceKind kind) {
        return switch (kind) {
            case RDMA -> "RDMA";
            case SOFT_RDMA -> "RDMA made by software";
            case ETHERNET -> "without RDMA";
            case NONE -> "none";
            case UNKNOWN -> "not known (see berth transport devices)";
        };
    }
}
