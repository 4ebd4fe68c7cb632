package org.berth.spark.threads;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.berth.observation.internal.process.ProcessArguments;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
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
        Machine.requireCpus(2);
        String slot = Integer.toString(allowed.first());
        String spare = allowed.minus(CpuSet.of(allowed.first())).toString();
        List<ProcessHandle> executors = new ArrayList<>();
        try (Child driver = start(slot)) {
            assertThat(driver.readLine()).as(this::log).isEqualTo("groups 10");
            // All tasks of the first rounds may have run in one of them, before the other was there.
            Await.until("two executors", () -> executors(driver).size() == 2);
            executors.addAll(executors(driver));
            for (ProcessHandle executor : executors) {
                awaitMasks(executor, "shuffle-client-", spare);
                awaitMasks(executor, "shuffle-server-", spare);
                awaitMasks(executor, "rpc-client-", spare);
                assertThat(masks(executor, "dispatcher-Exec")).containsOnly(allowed.toString());
                assertThat(masks(executor, "VM Thread")).containsOnly(allowed.toString());
            }
            driver.send("");
            List<String> rest = driver.finish().out().lines().toList();
            assertThat(rest)
                    .as(this::log)
                    .hasSizeGreaterThanOrEqualTo(2)
                    .endsWith("tasks on [" + slot + "]", "stopped");
            assertThat(rest.subList(0, rest.size() - 2)).allMatch("groups 10"::equals);
        } finally {
            executors.forEach(ProcessHandle::destroyForcibly);
            executors.forEach(executor -> executor.onExit().join());
        }
    }

    private static List<ProcessHandle> executors(Child driver) {
        return driver.handle()
                .descendants()
                .filter(process -> String.join(
                                " ", ProcessArguments.read(process.pid()).orElse(List.of()))
                        .contains(EXECUTOR))
                .toList();
    }

    private Child start(String slot) throws IOException {
        // Where Spark's launcher of executors looks for jars: it wants a folder, though the class path is all they
        // need.
        Path home = folder.resolve("home");
        Files.createDirectories(home.resolve("jars"));
        ProcessBuilder builder = ChildJvm.of(SmallShuffle.class)
                .with("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .with("-Dspark.master=local-cluster[2,1,512]", "-Dspark.executor.memory=512m")
                .with("-Dspark.plugins=" + ServicePlugin.class.getName(), "-D" + ServicePlugin.SLOTS + "=" + slot)
                .with("-Dspark.executor.extraClassPath=" + System.getProperty("java.class.path"))
                .with("-Dspark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
                .environment("SPARK_HOME", home.toString())
                .environment("SPARK_SCALA_VERSION", "2.13")
                .environment("SPARK_LOCAL_IP", "127.0.0.1")
                .environment("SPARK_LOCAL_HOSTNAME", "localhost")
                .builder();
        return Child.start(builder.directory(folder.toFile())
                .redirectError(folder.resolve("err").toFile()));
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
        Await.until(
                comm + " of " + executor.pid() + " on " + cpus,
                () -> masks(executor, comm).equals(Set.of(cpus)));
    }

    private static Set<String> masks(ProcessHandle executor, String comm) throws IOException {
        return new TreeSet<>(
                ProcStatus.masks(executor.pid(), name -> name.startsWith(comm)).values());
    }
}
