package org.berth.transport.host;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.topology.NodeSet;

/**
 * Which network adapter an engine uses: the one that the user names, else of those whose link is up the fastest, of equal ones
 * one near this process, of equal ones that of the default route. A pure function.
 *
 * @param device empty when there is none to choose
 * @param reason why this one, or why none, without a full stop
 * @since 0.1.0
 */
public record AdapterChoice(Optional<NetworkDevice> device, String reason) {
    /** The value that leaves the choice to this class. */
    public static final String AUTO = "auto";

    /**
     * Chooses.
     *
     * @param wanted the name of an interface, of an RDMA device ("mlx5_0" or "mlx5_0:1"), or "auto"
     * @param nodes the memory nodes of this process
     */
    public static AdapterChoice of(Reading<List<NetworkDevice>> devices, String wanted, NodeSet nodes) {
        return devices.fold(
                known -> of(known, wanted, nodes),
                absent -> new AdapterChoice(Optional.empty(), "this host has no network adapter (" + absent + ")"),
                refusal -> new AdapterChoice(Optional.empty(), "the network adapters are not known: " + refusal));
    }

    /** Chooses among adapters that are known. */
    public static AdapterChoice of(List<NetworkDevice> devices, String wanted, NodeSet nodes) {
        if (!wanted.equals(AUTO)) {
            return devices.stream()
                    .filter(device -> isCalled(device, wanted))
                    .findFirst()
                    .map(device -> new AdapterChoice(Optional.of(device), "named by option device"))
                    .orElseGet(() -> new AdapterChoice(
                            Optional.empty(),
                            "there is no network adapter " + wanted + "; there are "
                                    + String.join(", ", names(devices))));
        }
        List<NetworkDevice> usable = devices.stream()
                .filter(device ->
                        device.up() && (device.physical() || device.rdma().isPresent()))
                .sorted(order(nodes))
                .toList();
        if (usable.isEmpty()) {
            return new AdapterChoice(
                    Optional.empty(),
                    "no network adapter of this host (" + names(devices).size() + ") has its link up");
        }
        return new AdapterChoice(Optional.of(usable.get(0)), reason(usable, nodes));
    }

    private static boolean isCalled(NetworkDevice device, String wanted) {
        return device.name().equals(wanted)
                || device.rdma()
                        .filter(rdma -> rdma.equals(wanted) || rdma.startsWith(wanted + ":"))
                        .isPresent();
    }

    private static List<String> names(List<NetworkDevice> devices) {
        return devices.stream().map(NetworkDevice::name).toList();
    }

    private static Comparator<NetworkDevice> order(NodeSet nodes) {
        return Comparator.comparing((NetworkDevice device) -> device.kind() != HostFacts.DeviceKind.RDMA)
                .thenComparing(device -> -device.megabits())
                .thenComparing(device -> !isNear(device, nodes))
                .thenComparing(device -> !device.defaultRoute())
                .thenComparing(NetworkDevice::name);
    }

    private static boolean isNear(NetworkDevice device, NodeSet nodes) {
        return device.node() >= 0 && nodes.contains(device.node());
    }

    /** The criteria by which the first differs from the second. */
    private static String reason(List<NetworkDevice> usable, NodeSet nodes) {
        if (usable.size() == 1) {
            return "the only adapter whose link is up";
        }
        NetworkDevice first = usable.get(0);
        NetworkDevice second = usable.get(1);
        List<String> reasons = new ArrayList<>();
        if (first.kind() != second.kind() && first.kind() == HostFacts.DeviceKind.RDMA) {
            reasons.add("it has RDMA");
        } else if (first.megabits() > second.megabits()) {
            reasons.add("it is the fastest, with " + first.megabits() + " Mbit/s");
        } else if (isNear(first, nodes) && !isNear(second, nodes)) {
            reasons.add("it is near this process, at node " + first.node());
        } else if (first.defaultRoute() && !second.defaultRoute()) {
            reasons.add("the default route uses it");
        } else {
            reasons.add("it is the first by name among equal ones");
        }
        return String.join(", ", reasons);
    }
}
