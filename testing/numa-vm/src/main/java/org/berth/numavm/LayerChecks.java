package org.berth.numavm;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.observation.DeviceTrace;

/** Real layers of the kernel's over disks and the NIC, which are followed down to those. Ends with the NIC in a bond. */
final class LayerChecks {
    private static final Path ROOT = Path.of("/");
    /** Sectors of 512 bytes, half of each disk. */
    private static final int HALF = 65_536;

    private LayerChecks() {}

    static void run(Checks checks) {
        checks.check("a volume that device-mapper joins of two disks lies on both", () -> {
            create("joined", "0 " + HALF + " linear /dev/vdb 0\n" + HALF + " " + HALF + " linear /dev/vdc 0\n");
            Checks.same("disks", List.of("vdb", "vdc"), disksOfVolume("/dev/dm-0", "joined"));
        });
        checks.check("a volume that dm-crypt hides lies on its disk, through another layer too", () -> {
            create("part", "0 " + HALF + " linear /dev/vdc " + HALF + "\n");
            create("hidden", "0 " + HALF + " crypt cipher_null-ecb - 0 /dev/dm-1 0\n");
            Checks.same("disks", List.of("vdc"), disksOfVolume("/dev/dm-2", "hidden"));
        });
        checks.check("a bond is the NIC in it, and so is the way to a peer through it", () -> {
            run("/bin/busybox", "ifconfig", GuestNic.NAME, "down");
            Files.writeString(Path.of("/sys/class/net/bond0/bonding/slaves"), "+" + GuestNic.NAME);
            run("/bin/busybox", "ifconfig", "bond0", "10.0.2.15", "netmask", "255.255.255.0", "up");
            Checks.same("bond0", List.of(GuestNic.NAME), names(DeviceTrace.ofInterface("bond0", ROOT)));
            Checks.same(
                    "way to 10.0.2.2",
                    List.of(GuestNic.NAME),
                    names(DeviceTrace.ofPeer(InetAddress.getByName("10.0.2.2"), ROOT)));
        });
    }

    private static void create(String name, String table) throws Exception {
        Path file = Files.writeString(Files.createTempFile("table", null), table);
        run("/bin/dmsetup", "create", name, "--noudevsync", file.toString());
    }

    private static List<String> disksOfVolume(String device, String name) throws Exception {
        run("/bin/mke2fs", "-q", "-F", device);
        Path folder = Files.createDirectories(Path.of("/tmp/volumes", name));
        run("/bin/busybox", "mount", "-t", "ext4", device, folder.toString());
        return names(DeviceTrace.ofPath(Files.createDirectory(folder.resolve("current")), ROOT));
    }

    private static List<String> names(DeviceTrace trace) {
        return trace.devices().stream().map(DeviceTrace.Device::name).sorted().toList();
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Checks.same(String.join(" ", command) + " (" + said.strip() + ")", 0, process.waitFor());
    }
}
