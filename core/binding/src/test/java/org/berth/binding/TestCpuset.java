package org.berth.binding;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A cpuset of its own for child processes, in cgroup v1 or v2; gone when closed. */
final class TestCpuset implements AutoCloseable {
    private static final Path V1 = Path.of("/sys/fs/cgroup/cpuset");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    private final Path directory;

    private TestCpuset(Path directory) {
        this.directory = directory;
    }

    /** Aborts the test with the reason when this process may not make one. */
    static TestCpuset of(String cpus) throws IOException {
        Oracle.assumeRoot();
        boolean v1 = Files.exists(V1.resolve("cpuset.cpus"));
        assumeTrue(v1 || v2HasCpusets(), "no cpuset controller under /sys/fs/cgroup");
        Path parent = v1 ? V1 : V2;
        assumeTrue(Files.isWritable(parent), parent + " is mounted read-only");
        Path directory = Files.createDirectory(
                parent.resolve("berth-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime()));
        TestCpuset cpuset = new TestCpuset(directory);
        cpuset.narrow(cpus);
        String mems = v1 ? "cpuset.mems" : "cpuset.mems.effective";
        Files.writeString(
                directory.resolve("cpuset.mems"),
                Files.readString(parent.resolve(mems)).strip());
        return cpuset;
    }

    private static boolean v2HasCpusets() throws IOException {
        Path control = V2.resolve("cgroup.subtree_control");
        if (!Files.exists(control)) {
            return false;
        }
        if (!Files.readString(control).contains("cpuset") && Files.isWritable(control)) {
            Files.writeString(control, "+cpuset");
        }
        return Files.readString(control).contains("cpuset");
    }

    /** Changes the CPUs, also of the processes that are in it. */
    void narrow(String cpus) throws IOException {
        Files.writeString(directory.resolve("cpuset.cpus"), cpus);
    }

    /** A command that enters the cpuset and becomes the command behind it. */
    String[] prefix() {
        return new String[] {"sh", "-c", "echo $$ > " + directory.resolve("cgroup.procs") + " && exec \"$@\"", "enter"};
    }

    @Override
    public void close() throws IOException {
        // The kernel removes a dead process from its cgroup a moment after it was waited for.
        for (int attempt = 0; ; attempt++) {
            try {
                Files.delete(directory);
                return;
            } catch (IOException e) {
                if (attempt == 3000) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
