package org.berth.observation.internal.devices;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.berth.observation.SystemFiles;

/**
 * Which physical devices serve a file or a network peer, found through the layers that lie between: partitions, LVM and
 * dm-crypt (device mapper), md, loop devices; bonds, teams, VLANs and bridges. Immutable.
 *
 * @param subject what was asked about: "/data/1", "the route to 10.0.0.7"
 * @param devices the physical devices, in the order of the layers' parts; empty when there is none
 * @param reason why there is none, one line; empty when there is one
 * @since 0.1.0
 */
public record DeviceTrace(String subject, List<Device> devices, String reason) {
    /**
     * A physical device and what lies above it.
     *
     * @param name the kernel's name: "sda", "nvme0n1", "eth0"
     * @param layers names above it, the one that was asked for first: "dm-0", "md0", "sda1"; "bond0.100", "bond0"
     */
    public record Device(String name, List<String> layers) {
        /** Copies the list. */
        public Device {
            layers = List.copyOf(layers);
        }

        /** "nvme0n1", or "md0 over sda1 over sda". */
        @Override
        public String toString() {
            return layers.isEmpty() ? name : String.join(" over ", layers) + " over " + name;
        }
    }

    /** Copies the list. */
    public DeviceTrace {
        devices = List.copyOf(devices);
    }

    static DeviceTrace none(String subject, String reason) {
        return new DeviceTrace(subject, List.of(), reason);
    }

    /**
     * The disks that hold a file or directory. One that does not exist yet counts as the directory above it.
     *
     * <p>The mount is found in {@code /proc/self/mountinfo}, the disk below its device number in {@code /sys/dev/block}
     * (slaves, partition, loop/backing_file); file systems without a number of their own (btrfs, overlayfs) by their source.
     *
     * @param file any path; links are followed
     * @param root {@code /}, or the top of a recorded machine in which the path is looked up as it stands
     * @see <a href="https://docs.kernel.org/filesystems/proc.html#proc-pid-mountinfo-information-about-mounts">mountinfo</a>
     */
    public static DeviceTrace ofPath(Path file, Path root) {
        Path path = file.toAbsolutePath().normalize();
        return new BlockTrace(new SystemFiles(root)).ofPath(root.equals(Path.of("/")) ? existing(path) : path);
    }

    /** The disks below a block device by its name, such as "dm-0" or "sda1". */
    public static DeviceTrace ofDisk(String name, Path root) {
        return new BlockTrace(new SystemFiles(root)).ofName(name);
    }

    /**
     * The network adapters on the way to a peer, by the main routing table ({@code /proc/net/route},
     * {@code /proc/net/ipv6_route}); several for a bond or bridge. Rules for other tables and multipath routes are not seen.
     *
     * @param peer a client's address; one of this host's own gives none, as the packets touch no adapter
     */
    public static DeviceTrace ofPeer(InetAddress peer, Path root) {
        SystemFiles files = new SystemFiles(root);
        String subject = "the route to " + peer.getHostAddress();
        return new RouteTable(files)
                .interfaceTo(peer)
                .map(name -> new NetworkTrace(new NetworkInterfaces(files)).ofInterface(subject, name))
                .orElseGet(() -> none(
                        subject,
                        files.read("proc/net/route")
                                .refusal()
                                .map(refusal -> "the routes are not known: " + refusal)
                                .orElse("no route to it in /proc/net/route or ipv6_route")));
    }

    /** The network adapters below an interface by its name, such as "bond0" or "eth0". */
    public static DeviceTrace ofInterface(String name, Path root) {
        return new NetworkTrace(new NetworkInterfaces(new SystemFiles(root))).ofInterface("interface " + name, name);
    }

    private static Path existing(Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            try {
                return at.toRealPath();
            } catch (IOException absent) {
                // A volume that is not made yet will be on the mount of the directory above.
            }
        }
        return path;
    }
}
