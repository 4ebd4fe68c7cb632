package org.berth.numavm.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.numavm.Nodes;
import org.berth.topology.CpuSet;

/**
 * A disk of the guest's, by the kernel's files alone: Linux names disks in the order in which it finds them.
 *
 * @param name the kernel's
 * @param node that it is near
 */
public record GuestDisk(String name, int node) {
    private static final Path BLOCKS = Path.of("/sys/class/block");

    /** The disk with one queue that is near a node. */
    public static GuestDisk near(int node) throws IOException {
        try (DirectoryStream<Path> disks = Files.newDirectoryStream(BLOCKS, "vd?")) {
            for (Path disk : disks) {
                if (read(disk.resolve("device/../numa_node")).equals(Integer.toString(node))
                        && !Files.exists(disk.resolve("mq/1"))) {
                    return new GuestDisk(disk.getFileName().toString(), node);
                }
            }
        }
        throw new IOException("no disk with one queue is near node " + node);
    }

    /** Makes a file system on it, and a folder of that. */
    public void mount(Path folder) throws Exception {
        mount("/dev/" + name, folder);
    }

    /** The same as {@link #mount(Path)}, for any block device. */
    public static void mount(String device, Path folder) throws Exception {
        run("/bin/mke2fs", "-q", "-F", device);
        Files.createDirectories(folder);
        run("/bin/busybox", "mount", "-t", "ext4", device, folder.toString());
    }

    public static void unmount(Path folder) throws Exception {
        run("/bin/busybox", "umount", folder.toString());
    }

    /** The CPUs that its requests' interrupt comes to, by the name that the driver gives it. */
    public CpuSet interruptCpus() throws IOException {
        String device = BLOCKS.resolve(name).resolve("device").toRealPath().getFileName() + "-req.0";
        for (String line : Files.readAllLines(Path.of("/proc/interrupts"))) {
            if (line.endsWith(" " + device)) {
                String number = line.substring(0, line.indexOf(':')).strip();
                return CpuSet.parseList(read(Path.of("/proc/irq", number, "effective_affinity_list")));
            }
        }
        throw new IOException("no interrupt is called " + device);
    }

    /**
     * Has the interrupt come to a CPU of the disk's node. The kernel chooses one of all CPUs for it and refuses to move it, but
     * it leaves a CPU that goes offline, and does not come back to it.
     */
    public void interruptAtHome(CpuSet all) throws IOException {
        CpuSet home = Nodes.cpus(node);
        if (!home.containsAll(interruptCpus())) {
            int[] others = all.minus(home).toArray();
            for (String online : List.of("0", "1")) {
                for (int cpu : others) {
                    Files.writeString(Path.of("/sys/devices/system/cpu/cpu" + cpu, "online"), online);
                }
            }
        }
        assertThat(home.containsAll(interruptCpus()))
                .as("the interrupt of " + name + " is at CPU " + interruptCpus())
                .isTrue();
    }

    /** Runs a command that must succeed. */
    public static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(String.join(" ", List.of(command)) + " (" + said.strip() + ")")
                .isEqualTo(0);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
