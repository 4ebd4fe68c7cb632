package org.berth.numavm.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.numavm.Guest;
import org.berth.observation.internal.devices.DeviceTrace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real layers of the kernel's over disks and the NIC, which are followed down to those. */
@Tag(Guest.TAG)
@Tag("layers")
class DeviceLayersTest {
    private static final Path ROOT = Path.of("/");
    private static final Path ARRAY = Path.of("/sys/block/md0/md");
    /** Sectors of 512 bytes, half of each disk. */
    private static final int HALF = 65_536;
    /** Each disk, as md counts. */
    private static final String DISK_KIBIBYTES = "65536";

    @Test
    void aVolumeOnAnMdArrayLiesOnAllOfItsDisks() throws Exception {
        startArray();
        try {
            requireDisks("/dev/md0", "vdb", "vdc");
        } finally {
            Files.writeString(ARRAY.resolve("array_state"), "clear");
        }
    }

    @Test
    void aVolumeThatDeviceMapperJoinsOfTwoDisksLiesOnBoth() throws Exception {
        String joined =
                create("joined", "0 " + HALF + " linear /dev/vdb 0\n" + HALF + " " + HALF + " linear /dev/vdc 0\n");
        try {
            requireDisks(joined, "vdb", "vdc");
        } finally {
            remove("joined");
        }
    }

    @Test
    void aVolumeThatDmCryptHidesLiesOnItsDiskThroughAnotherLayerToo() throws Exception {
        String part = create("part", "0 " + HALF + " linear /dev/vdc " + HALF + "\n");
        try {
            String hidden = create("hidden", "0 " + HALF + " crypt cipher_null-ecb - 0 " + part + " 0\n");
            try {
                requireDisks(hidden, "vdc");
            } finally {
                remove("hidden");
            }
        } finally {
            remove("part");
        }
    }

    @Test
    void aBondIsTheNicInItAndSoIsTheWayToAPeerThroughIt() throws Exception {
        Path members = Path.of("/sys/class/net/bond0/bonding/slaves");
        GuestDisk.run("/bin/busybox", "ifconfig", GuestNic.NAME, "down");
        Files.writeString(members, "+" + GuestNic.NAME);
        try {
            GuestDisk.run("/bin/busybox", "ifconfig", "bond0", "10.0.2.15", "netmask", "255.255.255.0", "up");
            assertThat(names(DeviceTrace.ofInterface("bond0", ROOT))).containsExactly(GuestNic.NAME);
            assertThat(names(DeviceTrace.ofPeer(InetAddress.getByName("10.0.2.2"), ROOT)))
                    .containsExactly(GuestNic.NAME);
        } finally {
            Files.writeString(members, "-" + GuestNic.NAME);
            GuestDisk.run("/bin/busybox", "ifconfig", "bond0", "0.0.0.0", "down");
        }
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

    /** Makes a device of device-mapper's; the kernel numbers them, and nothing in the guest makes their names files. */
    private static String create(String name, String table) throws Exception {
        Path file = Files.writeString(Files.createTempFile("table", null), table);
        GuestDisk.run("/bin/dmsetup", "create", name, "--noudevsync", file.toString());
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(Path.of("/sys/class/block"), "dm-*")) {
            for (Path device : devices) {
                if (Files.readString(device.resolve("dm/name")).strip().equals(name)) {
                    return "/dev/" + device.getFileName();
                }
            }
        }
        throw new IOException("no device is called " + name);
    }

    private static void remove(String name) throws Exception {
        GuestDisk.run("/bin/dmsetup", "remove", name, "--noudevsync");
    }

    private static void requireDisks(String device, String... disks) throws Exception {
        Path folder = Files.createTempDirectory("volume");
        GuestDisk.mount(device, folder);
        try {
            Path data = Files.createDirectory(folder.resolve("current"));
            assertThat(names(DeviceTrace.ofPath(data, ROOT))).containsExactly(disks);
        } finally {
            GuestDisk.unmount(folder);
        }
    }

    private static List<String> names(DeviceTrace trace) {
        return trace.devices().stream().map(DeviceTrace.Device::name).sorted().toList();
    }
}
