package org.berth.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.interrupts.InterruptBinding;
import org.berth.observation.internal.process.ControlGroupLimits;

/** The files of a small machine, one of which has another text each time. */
record RecordedMachine(Path root) {
    static final List<String> GROUPS = List.of(
            "0::/user.slice/a\\040b\n",
            "4:cpu,cpuacct:/docker/1\n3:cpuset:/docker/1\n1:name=systemd:/x\n0::/\n",
            "0::/../other\n");
    static final String MOUNTS = """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 22 0:26 /a\\040b /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate
            """;
    static final String INTERRUPTS = "berth-interrupts 1 boot\n24 0-3 1 nvme0q1\n25 0-3 2,3 eth0 TxRx-0\n";

    private static final int LONGEST_PATH = 4096;
    private static final String CGROUP = "proc/self/cgroup";
    private static final String MOUNTINFO = "proc/self/mountinfo";
    private static final String RECORD = "interrupts";

    static RecordedMachine in(Path root) throws IOException {
        RecordedMachine machine = new RecordedMachine(root);
        for (String folder : List.of("proc/self", "proc/sys/kernel/random", "sys/fs/cgroup/user.slice")) {
            Files.createDirectories(root.resolve(folder));
        }
        machine.write("proc/sys/kernel/random/boot_id", "boot\n");
        machine.write("sys/fs/cgroup/cgroup.procs", "");
        machine.write("sys/fs/cgroup/user.slice/cpu.max", "200000 100000\n");
        machine.write("sys/fs/cgroup/user.slice/cpuset.cpus.effective", "0-3\n");
        return machine;
    }

    /** Read, or refused with a reason. */
    void groups(String text) {
        // The kernel writes no longer path (PATH_MAX).
        write(CGROUP, text.substring(0, Math.min(text.length(), LONGEST_PATH)));
        write(MOUNTINFO, MOUNTS);
        ControlGroupLimits.of("self", root).cpus().fold(cpus -> "", absent -> absent, String::valueOf);
    }

    void mounts(String text) {
        write(CGROUP, GROUPS.get(0));
        write(MOUNTINFO, text);
        ControlGroupLimits.of("self", root).cpus().fold(cpus -> "", absent -> absent, String::valueOf);
    }

    void interrupts(String text) {
        write(RECORD, text);
        try {
            InterruptBinding.of(root.resolve(RECORD), root).moved();
        } catch (BindingException refused) {
            Messages.requireOneLine(refused);
        }
    }

    /** Lone halves of a letter become question marks. */
    private void write(String file, String text) {
        try {
            Files.write(root.resolve(file), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
