package org.berth.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The network adapters of a host, from /sys/class/net, /sys/class/infiniband and /proc/net/route.
 *
 * <p>Two traps: an interface of virtio hangs below a device without a node, so that its parents are asked; a device of rxe has
 * no place of its own and names its interface in {@code parent}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class NetworkDevices {
    private static final String NET = "sys/class/net/";
    private static final String INFINIBAND = "sys/class/infiniband";

    private final SystemFiles files;

    private NetworkDevices(SystemFiles files) {
        this.files = files;
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
        return rdma.flatMap(devices -> files.names(NET).map(names -> all(names, rdmaByInterface(devices))));
    }

    private List<NetworkDevice> all(List<String> names, Map<String, String> rdmaByInterface) {
        List<String> defaultRoutes = defaultRoutes();
        List<NetworkDevice> devices = new ArrayList<>();
        for (String name : names) {
            String folder = NET + name;
            if (name.equals("lo") || !Files.isDirectory(files.root().resolve(folder))) {
                continue;
            }
            Optional<String> rdma = Optional.ofNullable(rdmaByInterface.get(name));
            devices.add(new NetworkDevice(
                    name,
                    rdma.map(device -> device + ":1"),
                    rdma.filter(device -> !files.exists(INFINIBAND + "/" + device + "/device"))
                            .isPresent(),
                    files.exists(folder + "/device"),
                    rdma.map(device -> text(INFINIBAND + "/" + device + "/ports/1/state")
                                    .contains("ACTIVE"))
                            .orElseGet(() -> text(folder + "/operstate").equals("up")),
                    // The kernel refuses the speed of an interface that is down.
                    Math.max(0, files.number(folder + "/speed").orElse(0)),
                    node(folder),
                    defaultRoutes.contains(name)));
        }
        return List.copyOf(devices);
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

    /** Interfaces of routes to 0.0.0.0 with mask 0. */
    private List<String> defaultRoutes() {
        List<String> names = new ArrayList<>();
        for (String line : text("proc/net/route").split("\n", -1)) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length >= 8 && words[1].equals("00000000") && words[7].equals("00000000")) {
                names.add(words[0]);
            }
        }
        return names;
    }

    /** Of the device or its nearest parent that has one. */
    private int node(String folder) {
        try {
            Path top = files.root().resolve("sys").toRealPath();
            for (Path at = files.root().resolve(folder).resolve("device").toRealPath();
                    at != null && at.startsWith(top);
                    at = at.getParent()) {
                Path file = at.resolve("numa_node");
                if (Files.exists(file)) {
                    return files.number(file.toString()).orElse(-1);
                }
            }
        } catch (IOException noDevice) {
            // An interface without an adapter.
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
