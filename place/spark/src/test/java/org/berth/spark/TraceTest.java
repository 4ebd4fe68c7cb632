package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.binding.leases.Leases;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an application with the plugin leaves behind when it ends, crashes or is killed: nothing, but for the native library of this
 * version, which the next JVM uses. The file of a lease whose holder was killed goes with the next look at the leases.
 */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(300)
class TraceTest {
    private static final List<String> KERNEL_SETTINGS = List.of(
            "/proc/sys/kernel", "/proc/sys/vm", "/sys/kernel/mm/transparent_hugepage", "/sys/kernel/mm/lru_gen");

    private static final String LIBRARY = "tmp/berth-\\d+(/libberth-[0-9a-f]+\\.so)?";

    @TempDir
    Path folder;

    @BeforeEach
    void needTwoCpus() throws IOException {
        Machine.requireCpus(2);
        Files.createDirectory(folder.resolve("tmp"));
    }

    /** What is there: files with a word of Berth in the path, settings of the kernel, processes, masks of a bystander. */
    private Map<String, String> seen(Process bystander) throws Exception {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.map(file -> folder.relativize(file).toString())
                    .filter(name -> name.contains("berth") || name.startsWith("leases/"))
                    .filter(name -> !name.matches(LIBRARY))
                    .forEach(name -> all.put("file " + name, ""));
        }
        for (String settings : KERNEL_SETTINGS) {
            all.putAll(settings(Path.of(settings)));
        }
        ProcStatus.masks(bystander.pid()).forEach((tid, mask) -> all.put("mask of thread " + tid, mask));
        all.put("processes", processes().toString());
        return all;
    }

    /** The settings that Berth could have a reason to change. */
    private static Map<String, String> settings(Path path) {
        Map<String, String> all = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                path, "{numa*,sched*,nr_huge*,zone_reclaim*,compact*,overcommit*,enabled,defrag,shmem*,perf_event*}")) {
            for (Path file : files) {
                if (Files.isRegularFile(file)) {
                    all.put(file.toString(), Files.readString(file));
                }
            }
        } catch (IOException notThere) {
            // This kernel has no such folder, or does not show the value.
            all.put(path.toString(), "not readable");
        }
        return all;
    }

    /** Those that have the leases of this test in their environment. */
    private List<Long> processes() {
        byte[] mark = ("BERTH_LEASES=" + folder.resolve("leases")).getBytes(StandardCharsets.UTF_8);
        String wanted = new String(mark, StandardCharsets.ISO_8859_1);
        List<Long> found = new ArrayList<>();
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            try {
                byte[] environment = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
                if (new String(environment, StandardCharsets.ISO_8859_1).contains(wanted)) {
                    found.add(process.pid());
                }
            } catch (IOException endedOrOfAnother) {
                // It is not one that this test has started.
            }
        }
        return found;
    }

    private interface End {
        void of(ForkedJob job) throws Exception;
    }

    private void assertNoTrace(String gate, End end, boolean killed) throws Exception {
        Process bystander = new ProcessBuilder("sleep", "600").start();
        try {
            Map<String, String> before = seen(bystander);
            List<String> options = List.of(
                    "-Dspark.master=local[2]",
                    "-Dspark.berth.level=pu",
                    "-Dspark.berth.guard=off",
                    "-XX:ErrorFile=" + folder.resolve("crash-" + gate),
                    "-Djava.io.tmpdir=" + folder.resolve("tmp"));
            try (ForkedJob job = ForkedJob.start(folder, options, 0, gate)) {
                assertThat(job.taskMasks(1)).as("each on a PU of its own").doesNotHaveDuplicates();
                assertThat(seen(bystander).keySet()).as("a lease").anyMatch(name -> name.startsWith("file leases/"));
                end.of(job);
            }
            if (killed) {
                assertThat(Leases.at(folder.resolve("leases")).list()).isEmpty();
            }
            assertThat(seen(bystander)).isEqualTo(before);
        } finally {
            bystander.destroyForcibly().onExit().join();
        }
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        // The folder of the leases and their lock are of the host, not of an application.
        Leases.at(folder.resolve("leases")).list();
        assertNoTrace(
                "ends",
                job -> {
                    job.open("ends");
                    job.await("result 3", 1);
                    job.end();
                },
                false);
        assertNoTrace("killed", job -> job.signal("KILL"), true);
        assertNoTrace("crashes", job -> job.signal("SEGV"), true);
    }

    /** A plugin that is removed between two runs: the second one is as if it had never been there. */
    @Test
    void theRunWithoutThePluginIsAsBefore() throws Exception {
        String allowed = Machine.cpuList();
        for (String plugins : List.of("", AffinityPlugin.class.getName(), "")) {
            String gate = "gate" + plugins.length() + "-" + System.nanoTime();
            try (ForkedJob job = ForkedJob.start(
                    folder,
                    List.of(
                            "-Dspark.master=local[2]",
                            "-Dspark.plugins=" + plugins,
                            "-Dspark.berth.level=pu",
                            "-Dspark.berth.guard=off"),
                    0,
                    gate)) {
                List<String> masks = job.taskMasks(1);
                if (plugins.isEmpty()) {
                    assertThat(masks).containsExactly(allowed, allowed);
                    assertThat(job.said()).isEmpty();
                } else {
                    assertThat(masks).doesNotContain(allowed);
                }
                job.open(gate);
                job.await("result 3", 1);
                job.end();
            }
        }
    }
}
