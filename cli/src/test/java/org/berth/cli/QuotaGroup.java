package org.berth.cli;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A control group, of version 1 or 2, whose processes get the time of one CPU; gone when closed. */
public final class QuotaGroup implements AutoCloseable {
    private static final Path V1 = Path.of("/sys/fs/cgroup/cpu");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    private final Path directory;

    private QuotaGroup(Path directory) {
        this.directory = directory;
    }

    /** Aborts the test with the reason when this process may not make one. */
    public static QuotaGroup ofOneCpu() throws IOException {
        assumeThat(System.getProperty("user.name")).as("only root may").isEqualTo("root");
        boolean v1 = Files.exists(V1.resolve("cpu.shares"));
        Path control = V2.resolve("cgroup.subtree_control");
        assumeThat(v1 || (Files.exists(control) && Files.readString(control).contains("cpu")))
                .as("a cpu controller under /sys/fs/cgroup")
                .isTrue();
        Path parent = v1 ? V1 : V2;
        assumeThat(parent).isWritable();
        Path directory = Files.createDirectory(parent.resolve("berth-test-" + System.nanoTime()));
        String file = v1 ? "cpu.cfs_quota_us" : "cpu.max";
        if (!Files.exists(directory.resolve(file))) {
            Files.delete(directory);
            assumeThat(directory.resolve(file)).exists();
        }
        Files.writeString(directory.resolve(file), v1 ? "100000" : "100000 100000");
        return new QuotaGroup(directory);
    }

    /** As in /proc/PID/cgroup. */
    public String path() {
        return "/" + directory.getFileName();
    }

    /** Words before a command that enter the group first. */
    public List<String> prefix() {
        return List.of("sh", "-c", "echo $$ > " + directory.resolve("cgroup.procs") + " && exec \"$@\"", "enter");
    }

    @Override
    public void close() throws IOException {
        // The kernel removes a dead process from its group a moment after it was waited for.
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
