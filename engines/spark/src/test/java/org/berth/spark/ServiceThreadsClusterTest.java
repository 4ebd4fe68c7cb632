package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.binding.LocalMachine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two real executors, JVMs of their own, that shuffle; their threads read from /proc. */
@Timeout(300)
class ServiceThreadsClusterTest {
    private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

    @TempDir
    private Path folder;

    @Test
    void shuffleThreadsAreOffTheTaskSlotsAlthoughTasksStartThem() throws Exception {
        CpuSet allowed = LocalMachine.open().topology().allowedCpuSet();
        assumeTrue(allowed.size() >= 2, "two places need two CPUs, and this process may use " + allowed);
        String slot = Integer.toString(allowed.first());
        String spare = allowed.minus(CpuSet.of(allowed.first())).toString();
        Process driver = start(slot);
        try (BufferedReader out = driver.inputReader()) {
            assertThat(out.readLine()).as(log()).isEqualTo("groups 10");
            List<Long> executors = driver.descendants()
                    .filter(process -> commandLine(process.pid()).contains(EXECUTOR))
                    .map(ProcessHandle::pid)
                    .toList();
            assertThat(executors).hasSize(2);
            for (long executor : executors) {
                awaitMasks(executor, "shuffle-client-", spare);
                awaitMasks(executor, "shuffle-server-", spare);
                assertThat(masks(executor, "Executor task l")).isSubsetOf(slot);
                assertThat(masks(executor, "dispatcher-Exec")).containsOnly(allowed.toString());
                assertThat(masks(executor, "VM Thread")).containsOnly(allowed.toString());
                assertThat(masks(executor, "rpc-client-")).containsOnly(spare);
            }
            driver.getOutputStream().write('\n');
            driver.getOutputStream().flush();
            List<String> rest = out.lines().toList();
            assertThat(rest.get(rest.size() - 1)).isEqualTo("stopped");
            assertThat(rest.subList(0, rest.size() - 1)).allMatch("groups 10"::equals);
        } finally {
            driver.descendants().forEach(ProcessHandle::destroyForcibly);
            driver.destroyForcibly().waitFor();
        }
    }

    private Process start(String slot) throws IOException {
        // Where Spark's launcher of executors looks for jars: it wants a folder, though the class path is all they
        // need.
        Path home = folder.resolve("home");
        Files.createDirectories(home.resolve("jars"));
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(
                "-Dspark.master=local-cluster[2,1,512]",
                "-Dspark.executor.memory=512m",
                "-Dspark.plugins=" + ServicePlugin.class.getName(),
                "-D" + ServicePlugin.SLOTS + "=" + slot,
                "-Dspark.executor.extraClassPath=" + classPath,
                "-Dspark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"));
        command.addAll(List.of("-cp", classPath, ShuffleJob.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_LOCAL_HOSTNAME", "localhost");
        return builder.start();
    }

    private String log() throws IOException {
        StringBuilder log = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.getFileName().toString().matches("err|stderr"))
                    .toList()) {
                log.append(file).append('\n').append(Files.readString(file));
            }
        }
        return log.toString();
    }

    /** All threads of a kind, once there is one: the looker needs a moment for each that appears. */
    private static void awaitMasks(long pid, String comm, String cpus) throws Exception {
        while (!masks(pid, comm).equals(Set.of(cpus))) {
            Thread.sleep(20);
        }
    }

    private static Set<String> masks(long pid, String comm) throws IOException {
        Set<String> masks = new TreeSet<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                List<String> status = lines(task.resolve("status"));
                if (!status.isEmpty() && ForkedJob.field(status, "Name").startsWith(comm)) {
                    masks.add(ForkedJob.field(status, "Cpus_allowed_list"));
                }
            }
        }
        return masks;
    }

    /** Of a thread that has ended meanwhile none. */
    private static List<String> lines(Path status) throws IOException {
        try {
            return Files.readAllLines(status, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException ended) {
            return List.of();
        }
    }

    private static String commandLine(long pid) {
        return String.join(" ", ProcessTree.commandLine((int) pid));
    }
}
