package org.berth.transport.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.devices.NetworkInterfaces;

/**
 * The network adapters of a host, from /sys/class/net, /sys/class/infiniband and /proc/net/route.
 *
 * <p>Two traps: an interface of virtio hangs below a device without a node, so that its parents are asked; a device of
 * rxe has no place of its own and names its interface in {@code parent}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class NetworkDevices {
    private static final String INFINIBAND = "sys/class/infiniband";

    private final SystemFiles files;
    private final NetworkInterfaces interfaces;

    private NetworkDevices(SystemFiles files) {
        this.files = files;
        this.interfaces = new NetworkInterfaces(files);
    }

    /**
     * Reads all interfaces except the loopback one.
     *
     * @param root {@code /}, or the top of a recorded machine
     * @return by name; refused when this process may not see them
     */
    public static Reading<List<NetworkDevice>> read(Path root) {
        return new NetworkDevices(new SystemFiles(root)).all();
    }

    private Reading<List<NetworkDevice>> all() {
        // A kernel without InfiniBand has no such folder.
        Reading<List<String>> rdma = files.names(INFINIBAND).ifAbsent(Reading.of(List.of()));
        return rdma.flatMap(devices -> interfaces.names().flatMap(names -> all(names, rdmaByInterface(devices))));
    }

    private Reading<List<NetworkDevice>> all(List<String> names, Map<String, String> rdmaByInterface) {
        List<String> defaultRoutes = interfaces.ofDefaultRoutes().orElse(List.of());
        List<NetworkDevice> devices = new ArrayList<>();
        Optional<Refusal> refusal = Optional.empty();
        for (String name : names) {
            if (name.equals(NetworkInterfaces.LOOPBACK)) {
                continue;
            }
            Optional<String> rdma = Optional.ofNullable(rdmaByInterface.get(name));
            Reading<Boolean> up = isUp(name, rdma);
            refusal = refusal.or(up::refusal);
            Reading<String> adapter = interfaces.adapter(name);
            devices.add(new NetworkDevice(
                    name,
                    rdma.map(device -> device + ":1"),
                    rdma.filter(device -> !files.exists(INFINIBAND + "/" + device + "/device"))
                            .isPresent(),
                    adapter.value().isPresent(),
                    up.orElse(false),
                    // The kernel refuses the speed of an interface that is down.
                    Math.max(
                            0,
                            files.number(NetworkInterfaces.folder(name) + "/speed")
                                    .orElse(0)),
                    adapter.value().map(this::node).orElse(-1),
                    defaultRoutes.contains(name)));
        }
        // With one that is up there is a choice; without, it may be the one that could not be read.
        return refusal.isPresent() && devices.stream().noneMatch(NetworkDevice::up)
                ? Reading.refused(refusal.get())
                : Reading.of(List.copyOf(devices));
    }

    private Reading<Boolean> isUp(String name, Optional<String> rdma) {
        return rdma.map(device ->
                        files.read(INFINIBAND + "/" + device + "/ports/1/state").map(state -> state.contains("ACTIVE")))
                .orElseGet(() -> interfaces.text(name, "operstate").map("up"::equals));
    }

    /** The RDMA device of each network interface: RoCE and InfiniBand by their port's interface, rxe by its parent. */
    private Map<String, String> rdmaByInterface(List<String> devices) {
        Map<String, String> byInterface = new HashMap<>();
        for (String device : devices) {
            String folder = INFINIBAND + "/" + device;
            String parent = text(folder + "/parent");
            if (!parent.isEmpty()) {
                byInterface.putIfAbsent(parent, device);
            }
            for (String gid : names(folder + "/ports/1/gid_attrs/ndevs")) {
                String name = text(folder + "/ports/1/gid_attrs/ndevs/" + gid);
                if (!name.isEmpty()) {
                    byInterface.putIfAbsent(name, device);
                }
            }
            for (String net : names(folder + "/device/net")) {
                byInterface.putIfAbsent(net, device);
            }
        }
        return byInterface;
    }

    /** The NUMA node of the device or its nearest parent that has one. */
    private int node(String adapter) {
        for (String at = adapter; at.contains("/"); at = at.substring(0, at.lastIndexOf('/'))) {
            Reading<Integer> node = files.number(at + "/numa_node");
            if (node.value().isPresent()) {
                return node.orElse(-1);
            }
        }
        return -1;
    }

    private List<String> names(String folder) {
        return files.names(folder).orElse(List.of());
    }

    private String text(String file) {
        return files.read(file).orElse("");
    }
}
