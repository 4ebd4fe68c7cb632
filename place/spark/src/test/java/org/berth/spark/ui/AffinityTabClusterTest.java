package org.berth.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.observation.internal.process.ProcessArguments;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.spark.AffinityPlugin;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two executors in JVMs of their own: their CPUs, their metrics, and what is left of one that is killed. */
@Tag("one-jdk")
@Tag("cluster")
@Tag("release")
@Timeout(400)
class AffinityTabClusterTest {
    private static final long HEAP_BYTES = 600L << 20;

    @TempDir
    Path folder;

    @Test
    void showsEachExecutorUntilItIsLost() throws Exception {
        CpuSet allowed = CpuSet.parseList(Machine.cpuList());
        Machine.requireCpus(2);
        Path metrics = Files.createDirectories(folder.resolve("metrics"));
        List<String> options = List.of(
                "-Dspark.master=local-cluster[2,1,1024]",
                "-Dspark.executor.memory=600m",
                "-Dspark.executor.extraClassPath=" + UiApplication.directories(),
                "-Dspark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                        + " -Xms600m -XX:+AlwaysPreTouch -XX:+UseTransparentHugePages",
                "-Dspark.metrics.conf.executor.sink.csv.class=org.apache.spark.metrics.sink.CsvSink",
                "-Dspark.metrics.conf.executor.sink.csv.period=1",
                "-Dspark.metrics.conf.executor.sink.csv.directory=" + metrics,
                "-Dspark.berth.plan=" + AffinityTabTest.plan(folder, allowed));
        try (UiApplication application = UiApplication.start(folder, "", options)) {
            String json = application.await("ui ") + "/affinity/json/";
            JsonNode seen = application.await(json, answer -> AffinityTabTest.busy(answer) == 2);

            assertThat(ids(seen)).containsExactly("0", "1");
            for (JsonNode executor : AffinityTabTest.executors(seen)) {
                long pid = executor.path("pid").asLong();
                assertThat(ProcessArguments.of(pid))
                        .containsSequence(
                                "--executor-id", executor.path("executorId").asText());
                assertThat(AffinityTabTest.busyCpus(executor)).hasSize(1).isEqualTo(UiApplication.taskMasks(pid));
                awaitMetric(metrics, executor.path("executorId").asText(), "tasks", 1);
                awaitMetric(metrics, executor.path("executorId").asText(), "bindFailures", 0);
            }
            assertThat(seen.at("/total/tasks").asLong()).isEqualTo(2);
            application.await(
                    json,
                    answer ->
                            AffinityTabTest.executors(answer).stream().allMatch(AffinityTabClusterTest::tellsItsHeap));
            try (UiBrowser browser = new UiBrowser(json.replace("/affinity/json/", ""))) {
                assertThat(browser.faults("cluster")).isEqualTo("[]");
            }

            JsonNode victim = AffinityTabTest.executors(seen).get(0);
            ProcessHandle.of(victim.path("pid").asLong()).orElseThrow().destroyForcibly();
            JsonNode later = application.await(json, answer -> ids(answer).equals(List.of("1", "2")));
            assertThat(later.at("/endedExecutors").asLong()).isEqualTo(1);
            assertThat(later.at("/total/tasks").asLong()).isGreaterThanOrEqualTo(2);

            application.openGate();
            application.await("result 3");
            assertThat(application.end()).isEmpty();
        }
    }

    /** The heap is touched from the start, and nothing else of these JVMs has many huge pages. */
    private static boolean tellsItsHeap(JsonNode executor) {
        JsonNode heap = executor.path("heap");
        if (heap.path("reason").asText().equals("not read so far")) {
            return false;
        }
        assertThat(heap.path("asked").asText()).startsWith("-XX:+UseTransparentHugePages");
        assertThat(heap.path("kernel").asText()).isNotEmpty();
        if (!Files.exists(Path.of("/proc/self/numa_maps"))) {
            return !heap.path("reason").asText().isEmpty();
        }
        long bytes = 0;
        long hugeBytes = 0;
        for (JsonNode node : heap.path("nodes")) {
            bytes += node.path("bytes").asLong();
            hugeBytes += node.path("hugeBytes").asLong();
        }
        long expected = hugeBytes(executor.path("pid").asLong());
        return bytes >= HEAP_BYTES && bytes < HEAP_BYTES * 1.1 && Math.abs(hugeBytes - expected) < HEAP_BYTES / 10;
    }

    /** The bytes of the whole process, as the kernel sums them up. */
    private static long hugeBytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
                    .filter(line -> line.startsWith("AnonHugePages:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> ids(JsonNode json) {
        return AffinityTabTest.executors(json).stream()
                .map(executor -> executor.path("executorId").asText())
                .toList();
    }

    /** The last line of Spark's own CSV file is "seconds,value". */
    private static void awaitMetric(Path folder, String executor, String name, long wanted) {
        String end = "." + executor + ".plugin." + AffinityPlugin.class.getName() + "." + name + ".csv";
        Await.until(
                wanted + " in …" + end,
                () -> files(folder),
                files -> files.stream().anyMatch(file -> file.toString().endsWith(end) && endsWith(file, wanted)));
    }

    private static boolean endsWith(Path file, long wanted) {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.get(lines.size() - 1).endsWith("," + wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toFile().length() > 0)
                    .collect(Collectors.toList());
        }
    }
}
