package org.berth.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.Processes;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Assumptions;

/**
 * A container that runc runs, as Docker has it: its own PIDs, mounts and control groups, no capabilities, and a seccomp
 * filter that refuses memory policies. Its programs are this machine's.
 *
 * @param folder its bundle
 * @param runc the process that waits for it
 */
record OciContainer(Path folder, Process runc) implements AutoCloseable {
    /** What Docker's profile refuses without CAP_SYS_NICE. */
    private static final String MEMORY_POLICIES = "{\"names\": [\"get_mempolicy\", \"set_mempolicy\", \"mbind\","
            + " \"set_mempolicy_home_node\"], \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": 1}";

    private static final String CONFIG = """
            {"ociVersion": "1.0.2",
             "process": {"user": {"uid": 1000, "gid": 1000}, "cwd": "/", "noNewPrivileges": true,
               "env": ["PATH=/usr/bin:/bin"], "args": ["/bin/bash", "/launch_container.sh"]},
             "root": {"path": "rootfs", "readonly": true},
             "mounts": [%s],
             "linux": {"namespaces": [{"type": "pid"}, {"type": "mount"}, {"type": "ipc"}, {"type": "uts"}],
               "cgroupsPath": "%s", "resources": {"cpu": {"cpus": "%s"}},
               "seccomp": {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [%s]}}}
            """;

    /** Returns the reason where runc is missing or may not be used. */
    static void assumeTheyCanBeRun(Path folder) throws IOException {
        Tool.require("runc");
        try (OciContainer trial = start(Files.createDirectory(folder), "exit 0", Map.of(), Machine.cpuList(), false)) {
            int code = trial.end();
            Assumptions.assumeTrue(code == 0, () -> "runc cannot run a container here: " + trial.error());
        }
    }

    /**
     * Starts one.
     *
     * @param folder empty
     * @param script that it runs
     * @param mounts folders of this machine and where the container sees them, after the first word: rw or ro
     * @param cpus of its cpuset control group
     * @param policies whether it may set memory policies
     */
    static OciContainer start(Path folder, String script, Map<Path, String> mounts, String cpus, boolean policies)
            throws IOException {
        Path root = Files.createDirectory(folder.resolve("rootfs"));
        Files.writeString(root.resolve("launch_container.sh"), script + "\n");
        Map<String, String> all = new TreeMap<>(Map.of(
                "/dev", mount("tmpfs", "tmpfs", "rw"),
                "/proc", mount("proc", "proc", "rw"),
                "/sys", mount("sysfs", "sysfs", "ro"),
                "/usr", mount("/usr", "bind", "rbind\", \"ro")));
        for (String name : List.of("/bin", "/lib", "/lib64")) {
            if (Files.isSymbolicLink(Path.of(name))) {
                Files.createSymbolicLink(root.resolve(name.substring(1)), Files.readSymbolicLink(Path.of(name)));
            } else if (Files.isDirectory(Path.of(name))) {
                all.put(name, mount(name, "bind", "rbind\", \"ro"));
            }
        }
        mounts.forEach((source, words) ->
                all.put(words.substring(3), mount(source.toString(), "bind", "rbind\", \"" + words.substring(0, 2))));
        // A prefix sorts before what is below it: parents are mounted first.
        String list = all.entrySet().stream()
                .map(entry -> "{\"destination\": \"" + entry.getKey() + "\", " + entry.getValue() + "}")
                .collect(Collectors.joining(", "));
        String refused = policies ? "" : MEMORY_POLICIES;
        Files.writeString(folder.resolve("config.json"), CONFIG.formatted(list, name(folder), cpus, refused));
        return new OciContainer(
                folder,
                runc(folder, "run", "--bundle", folder.toString(), "--pid-file", folder + "/pid", name(folder))
                        .redirectOutput(folder.resolve("out").toFile())
                        .redirectError(folder.resolve("err").toFile())
                        .start());
    }

    private static String mount(String source, String type, String options) {
        return "\"source\": \"" + source + "\", \"type\": \"" + type + "\", \"options\": [\"" + options + "\"]";
    }

    private static String name(Path folder) {
        return "berth-test-" + ProcessHandle.current().pid() + "-" + folder.getFileName();
    }

    private static ProcessBuilder runc(Path folder, String... words) {
        ProcessBuilder builder =
                new ProcessBuilder("runc", "--root", folder.resolve("state").toString());
        builder.command().addAll(List.of(words));
        return builder;
    }

    /** Its first process as this machine sees it, once it runs its command. */
    long awaitCommand() throws IOException {
        Path file = folder.resolve("pid");
        Await.until("the container's PID", () -> Files.exists(file) || !runc.isAlive());
        if (!Files.exists(file)) {
            throw new AssertionError("runc ended: " + error());
        }
        long pid = Long.parseLong(Files.readString(file).strip());
        Await.until("its command", () -> Processes.commandLine(pid).startsWith("sleep ") || !runc.isAlive());
        return pid;
    }

    /** What it has printed once that is all which matters; runc passes it on some time later than it is written. */
    String awaitOutput(Predicate<String> whole) {
        Await.until("its output", () -> whole.test(output()));
        return output();
    }

    /** Likewise of its errors. */
    String awaitError(Predicate<String> whole) {
        Await.until("its errors", () -> whole.test(error()));
        return error();
    }

    String output() {
        return read("out");
    }

    String error() {
        return read("err").strip();
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for its end and returns its exit code. */
    int end() {
        Await.until("the end of the container", () -> !runc.isAlive());
        return runc.exitValue();
    }

    @Override
    public void close() {
        Child.run(runc(folder, "delete", "--force", name(folder)));
        end();
    }
}
