package org.berth.observation.internal.devices;

import java.nio.file.Files;
import java.util.List;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The network interfaces of a machine, from {@code /sys/class/net}; the routes are in {@code /proc/net/route}.
 * Thread-safe: it has no state.
 *
 * @param files of this machine, or of a recorded one
 * @see <a href="https://docs.kernel.org/admin-guide/abi-testing.html">sysfs-class-net</a>
 * @since 0.1.0
 */
public record NetworkInterfaces(SystemFiles files) {
    /** The loopback interface, by which no packet leaves the host. */
    public static final String LOOPBACK = "lo";

    private static final String NET = "sys/class/net";
    private static final String LOWER = "lower_";

    /** All of this network namespace, sorted; also those that software makes. */
    public Reading<List<String>> names() {
        // The driver of bonds has a file in the folder, too.
        return files.names(NET)
                .map(names -> names.stream()
                        .filter(name -> Files.isDirectory(files.root().resolve(folder(name))))
                        .toList());
    }

    /** The path of its folder, without the first slash. */
    public static String folder(String name) {
        return NET + "/" + name;
    }

    /** Whether there is an interface of that name. */
    public Reading<Boolean> exists(String name) {
        return files.real(folder(name)).map(there -> true).ifAbsent(Reading.of(false));
    }

    /** The folder of its adapter in /sys; absent for what software makes: bonds, bridges, lo. */
    public Reading<String> adapter(String name) {
        return files.real(folder(name) + "/device");
    }

    /** The interfaces below a bond, team, VLAN, bridge or macvlan, which links to them. */
    Reading<List<String>> lower(String name) {
        return files.names(folder(name))
                .map(entries -> entries.stream()
                        .filter(entry -> entry.startsWith(LOWER))
                        .map(entry -> entry.substring(LOWER.length()))
                        .toList());
    }

    /** A text about it: "operstate", "speed". */
    public Reading<String> text(String name, String file) {
        return files.read(folder(name) + "/" + file);
    }

    /** Those of the default routes, the one with the lowest metric first. */
    public Reading<List<String>> ofDefaultRoutes() {
        return new RouteTable(files).defaults();
    }

    /** The one that leads to other hosts: that of the default route with the lowest metric. */
    public Reading<String> ofDefaultRoute() {
        return ofDefaultRoutes()
                .flatMap(names -> names.isEmpty()
                        ? Reading.absent("/proc/net/route has no default route")
                        : Reading.of(names.get(0)));
    }
}
