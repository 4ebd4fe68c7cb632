package org.berth.numavm;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.observation.DeviceTrace;

/** Real layers of the kernel's over disks and the NIC, which are followed down to those. Ends with the NIC in a bond. */
final class LayerChecks {
    private static final Path ROOT = Path.of("/");
    private static final Path ARRAY = Path.of("/sys/block/md0/md");
    /** Sectors of 512 bytes, half of each disk. */
    private static final int HALF = 65_536;
    /** Each disk, as md counts. */
    private static final String DISK_KIBIBYTES = "65536";

    private LayerChecks() {}

    static void run(Checks checks) {
        checks.check("a volume on an md array lies on all of its disks", () -> {
            startArray();
            Checks.same("disks", List.of("vdb", "vdc"), disksOfVolume("/dev/md0", "array"));
            GuestDisk.unmount(Path.of("/tmp/volumes/array"));
            Files.writeString(ARRAY.resolve("array_state"), "clear");
        });
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
            GuestDisk.run("/bin/busybox", "ifconfig", GuestNic.NAME, "down");
            Files.writeString(Path.of("/sys/class/net/bond0/bonding/slaves"), "+" + GuestNic.NAME);
            GuestDisk.run("/bin/busybox", "ifconfig", "bond0", "10.0.2.15", "netmask", "255.255.255.0", "up");
            Checks.same("bond0", List.of(GuestNic.NAME), names(DeviceTrace.ofInterface("bond0", ROOT)));
            Checks.same(
                    "way to 10.0.2.2",
                    List.of(GuestNic.NAME),
                    names(DeviceTrace.ofPeer(InetAddress.getByName("10.0.2.2"), ROOT)));
        });
    }

    /** RAID 0 over both disks by the kernel's own files (Documentation/admin-guide/md.rst), without mdadm's record on them. */
    private static void startArray() throws Exception {
        Files.writeString(Path.of("/sys/module/md_mod/parameters/new_array"), "md0");
        Files.writeString(ARRAY.resolve("level"), "raid0");
        Files.writeString(ARRAY.resolve("metadata_version"), "none");
        Files.writeString(ARRAY.resolve("chunk_size"), "65536");
        Files.writeString(ARRAY.resolve("raid_disks"), "2");
        List<String> disks = List.of("vdb", "vdc");
        for (String disk : disks) {
            String numbers = Files.readString(Path.of("/sys/class/block", disk, "dev"));
            Files.writeString(ARRAY.resolve("new_dev"), numbers);
            Path member = ARRAY.resolve("dev-" + disk);
            Files.writeString(member.resolve("size"), DISK_KIBIBYTES);
            Files.writeString(member.resolve("slot"), Integer.toString(disks.indexOf(disk)));
        }
        Files.writeString(ARRAY.resolve("array_state"), "active");
    }

    private static void create(String name, String table) throws Exception {
        Path file = Files.writeString(Files.createTempFile("table", null), table);
        GuestDisk.run("/bin/dmsetup", "create", name, "--noudevsync", file.toString());
    }

    private static List<String> disksOfVolume(String device, String name) throws Exception {
        Path folder = Path.of("/tmp/volumes", name);
        GuestDisk.mount(device, folder);
        return names(DeviceTrace.ofPath(Files.createDirectory(folder.resolve("current")), ROOT));
    }

    private static List<String> names(DeviceTrace trace) {
        return trace.devices().stream().map(DeviceTrace.Device::name).sorted().toList();
    }
}
