package org.berth.spark.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.binding.LocalMachine;
import org.berth.spark.ThreadFiles;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two real executors, JVMs of their own, that shuffle; their threads read from /proc. */
@Tag("cluster")
@Timeout(300)
class ServiceThreadsClusterTest {
    private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

    @TempDir
    private Path folder;

    @Test
    void shuffleThreadsAreOffTheTaskSlotsAlthoughTasksStartThem() throws Exception {
        CpuSet allowed = LocalMachine.open().topology().allowedCpuSet();
        assumeTrue(allowed.size() >= 2, "two slots need two CPUs, and this process may use " + allowed);
        String slot = Integer.toString(allowed.first());
        String spare = allowed.minus(CpuSet.of(allowed.first())).toString();
        List<ProcessHandle> executors = new ArrayList<>();
        Process driver = start(slot);
        ThreadFiles.limit(driver, 250);
        try (BufferedReader out = driver.inputReader()) {
            assertThat(out.readLine()).as(this::log).isEqualTo("groups 10");
            // All tasks of the first rounds may have run in one of them, before the other was there.
            ThreadFiles.await("two executors", () -> executors(driver).size() == 2);
            executors.addAll(executors(driver));
            for (ProcessHandle executor : executors) {
                awaitMasks(executor, "shuffle-client-", spare);
                awaitMasks(executor, "shuffle-server-", spare);
                awaitMasks(executor, "rpc-client-", spare);
                assertThat(masks(executor, "dispatcher-Exec")).containsOnly(allowed.toString());
                assertThat(masks(executor, "VM Thread")).containsOnly(allowed.toString());
            }
            driver.getOutputStream().write('\n');
            driver.getOutputStream().flush();
            List<String> rest = out.lines().toList();
            assertThat(rest)
                    .as(this::log)
                    .hasSizeGreaterThanOrEqualTo(2)
                    .endsWith("tasks on [" + slot + "]", "stopped");
            assertThat(rest.subList(0, rest.size() - 2)).allMatch("groups 10"::equals);
        } finally {
            driver.descendants().forEach(executors::add);
            driver.destroyForcibly().waitFor();
            executors.forEach(ProcessHandle::destroyForcibly);
            executors.forEach(executor -> executor.onExit().join());
        }
    }

    private static List<ProcessHandle> executors(Process driver) {
        return driver.descendants()
                .filter(process -> String.join(" ", ChildProcesses.commandLine((int) process.pid()))
                        .contains(EXECUTOR))
                .toList();
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
        command.addAll(List.of("-cp", classPath, SmallShuffle.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_LOCAL_HOSTNAME", "localhost");
        return builder.start();
    }

    private String log() {
        StringBuilder log = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.getFileName().toString().matches("err|stderr"))
                    .toList()) {
                log.append(file).append('\n').append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException | UncheckedIOException e) {
            log.append(e);
        }
        return log.toString();
    }

    /** All threads of a kind, once there is one: the looker needs a moment for each that appears. */
    private static void awaitMasks(ProcessHandle executor, String comm, String cpus) throws Exception {
        ThreadFiles.await(
                comm + " of " + executor.pid() + " on " + cpus,
                () -> masks(executor, comm).equals(Set.of(cpus)));
    }

    private static Set<String> masks(ProcessHandle executor, String comm) throws IOException {
        return new TreeSet<>(ThreadFiles.masksByBeginning(executor.pid(), comm).values());
    }
}
