package org.berth.spark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A cpuset of its own for child processes, in cgroup v1 or v2. */
final class TestCpuset implements AutoCloseable {
    private static final Path V1 = Path.of("/sys/fs/cgroup/cpuset");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    private final Path directory;

    private TestCpuset(Path directory) {
        this.directory = directory;
    }

    /** Aborts the test with the reason when this process may not make one. */
    static TestCpuset of(String cpus) throws IOException {
        boolean v1 = Files.exists(V1.resolve("cpuset.cpus"));
        Path parent = v1 ? V1 : V2;
        assumeTrue(Files.isWritable(parent), parent + " cannot be written");
        Path control = V2.resolve("cgroup.subtree_control");
        assumeTrue(v1 || Files.readString(control).contains("cpuset"), "no cpuset controller under /sys/fs/cgroup");
        Path directory = Files.createDirectory(
                parent.resolve("berth-spark-" + ProcessHandle.current().pid() + "-" + System.nanoTime()));
        TestCpuset cpuset = new TestCpuset(directory);
        cpuset.set(cpus);
        String mems = Files.readString(parent.resolve(v1 ? "cpuset.mems" : "cpuset.mems.effective"));
        Files.writeString(directory.resolve("cpuset.mems"), mems.strip());
        return cpuset;
    }

    /** Changes the CPUs, also of the processes that are in it. */
    void set(String cpus) throws IOException {
        Files.writeString(directory.resolve("cpuset.cpus"), cpus);
    }

    /** A command that enters the cpuset and becomes the command behind it. */
    List<String> prefix() {
        return List.of("sh", "-c", "echo $$ > " + directory.resolve("cgroup.procs") + " && exec \"$@\"", "enter");
    }

    /**
     * Ends processes that are still in it: executors end after their driver. The kernel removes a dead process from its
     * cgroup a moment after it was waited for.
     */
    @Override
    public void close() throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                for (String pid : Files.readAllLines(directory.resolve("cgroup.procs"))) {
                    ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
                }
                Files.delete(directory);
                return;
            } catch (IOException busy) {
                if (attempt == 3000) {
                    throw busy;
                }
                LockSupport.parkNanos(20_000_000);
            }
        }
    }
}
