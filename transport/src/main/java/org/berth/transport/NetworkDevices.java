package org.berth.transport;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The network adapters of a host, from /sys/class/net, /sys/class/infiniband and /proc/net/route.
 *
 * <p>Two traps: an interface of virtio hangs below a device without a node, so that its parents are asked; a device of rxe has
 * no place of its own and names its interface in {@code parent}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class NetworkDevices {
    private final Path root;

    private NetworkDevices(Path root) {
        this.root = root;
    }

    /**
     * Reads all interfaces except the loopback one.
     *
     * @param root {@code /}, or the top of a recorded machine
     * @return by name; empty when the kernel shows none
     */
    public static List<NetworkDevice> read(Path root) {
        return new NetworkDevices(root).all();
    }

    private List<NetworkDevice> all() {
        Map<String, Path> rdmaByInterface = rdmaDevices();
        List<String> defaultRoutes = defaultRoutes();
        List<NetworkDevice> devices = new ArrayList<>();
        for (Path entry : entries(root.resolve("sys/class/net"))) {
            String name = entry.getFileName().toString();
            if (name.equals("lo") || !Files.isDirectory(entry)) {
                continue;
            }
            Optional<Path> rdma = Optional.ofNullable(rdmaByInterface.get(name));
            devices.add(new NetworkDevice(
                    name,
                    rdma.map(device -> device.getFileName() + ":1"),
                    rdma.filter(device -> !Files.exists(device.resolve("device")))
                            .isPresent(),
                    Files.exists(entry.resolve("device")),
                    rdma.map(device -> text(device.resolve("ports/1/state")).contains("ACTIVE"))
                            .orElseGet(() -> text(entry.resolve("operstate")).equals("up")),
                    Math.max(0, number(text(entry.resolve("speed")))),
                    node(entry),
                    defaultRoutes.contains(name)));
        }
        return List.copyOf(devices);
    }

    /** The RDMA device of each network interface: RoCE and InfiniBand by their port's interface, rxe by its parent. */
    private Map<String, Path> rdmaDevices() {
        Map<String, Path> devices = new HashMap<>();
        for (Path device : entries(root.resolve("sys/class/infiniband"))) {
            String parent = text(device.resolve("parent"));
            if (!parent.isEmpty()) {
                devices.putIfAbsent(parent, device);
            }
            for (Path gid : entries(device.resolve("ports/1/gid_attrs/ndevs"))) {
                String name = text(gid);
                if (!name.isEmpty()) {
                    devices.putIfAbsent(name, device);
                }
            }
            for (Path net : entries(device.resolve("device/net"))) {
                devices.putIfAbsent(net.getFileName().toString(), device);
            }
        }
        return devices;
    }

    /** Interfaces of routes to 0.0.0.0 with mask 0. */
    private List<String> defaultRoutes() {
        List<String> names = new ArrayList<>();
        for (String line : text(root.resolve("proc/net/route")).split("\n", -1)) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length >= 8 && words[1].equals("00000000") && words[7].equals("00000000")) {
                names.add(words[0]);
            }
        }
        return names;
    }

    /** Of the device or its nearest parent that has one. */
    private int node(Path networkInterface) {
        try {
            Path top = root.resolve("sys").toRealPath();
            for (Path at = networkInterface.resolve("device").toRealPath();
                    at != null && at.startsWith(top);
                    at = at.getParent()) {
                Path file = at.resolve("numa_node");
                if (Files.exists(file)) {
                    return (int) number(text(file));
                }
            }
        } catch (IOException noDevice) {
            // An interface without an adapter.
        }
        return -1;
    }

    private static List<Path> entries(Path directory) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (IOException none) {
            return List.of();
        }
        entries.sort(null);
        return entries;
    }

    /** Empty when it cannot be read: the kernel refuses the speed of an interface that is down. */
    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            return "";
        }
    }

    private static long number(String text) {
        return text.matches("-?\\d{1,15}") ? Long.parseLong(text) : -1;
    }
}
