package org.berth.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.spark.AffinityPlugin;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real Spark with its web UI, read over HTTP and in a real browser, and compared with what the kernel says. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(400)
class AffinityTabTest {
    @TempDir
    Path folder;

    private CpuSet allowed = CpuSet.empty();

    @BeforeEach
    void needTwoCpus() throws IOException {
        allowed = CpuSet.parseList(Machine.cpuList());
        Machine.requireCpus(2);
    }

    @Test
    void showsWhereTasksRun() throws Exception {
        List<String> options = List.of(
                "-Dspark.master=local[2]",
                "-Dspark.berth.plan=" + plan(),
                "-Dspark.ui.filters=" + UiRefusal.class.getName());
        try (UiApplication application = UiApplication.start(folder, "", options)) {
            String ui = application.await("ui ");
            // The driver asks for the machine when it has the first status of an executor.
            JsonNode seen = application.await(
                    ui + "/affinity/json/",
                    json -> busy(json) == 2
                            && json.at("/hosts/0/topologyProblem").isMissingNode());

            JsonNode executor = executors(seen).get(0);
            assertThat(executor.path("executorId").asText()).isEqualTo("driver");
            assertThat(executor.path("pid").asLong()).isEqualTo(application.pid());
            assertThat(executor.path("level").asText()).isEqualTo("pu");
            assertThat(busyCpus(executor)).isEqualTo(UiApplication.taskMasks(application.pid()));
            assertThat(executor.at("/counters/tasks").asLong()).isEqualTo(2);
            assertThat(executor.at("/counters/bindFailures").asLong()).isZero();
            assertThat(seen.at("/hosts/0/pus").asInt()).isEqualTo(onlineCpus().size());

            JsonNode gauges = application.await(
                    ui + "/metrics/json/",
                    json -> gauge(json, "driver.plugin." + AffinityPlugin.class.getName() + ".total.tasks") == 2);
            assertThat(gauge(gauges, ".total.bindFailures")).isZero();
            for (String name : List.of(".total.migrations", ".total.remotePages", ".total.rebinds")) {
                assertThat(gauge(gauges, name)).isNotNegative();
            }

            String refuse = "X-Refuse-Me";
            assertThat(application.get(ui + "/affinity/", refuse, "yes").statusCode())
                    .isEqualTo(403);
            assertThat(application.get(ui + "/affinity/json/", refuse, "yes").statusCode())
                    .isEqualTo(403);
            assertThat(application.get(ui + "/affinity/").headers().map())
                    .containsEntry("x-frame-options", List.of("SAMEORIGIN"));

            try (UiBrowser browser = new UiBrowser(ui)) {
                assertThat(browser.faults("local")).isEqualTo("[]");
                assertThat(browser.document())
                        .contains("<title>seen - Affinity</title>", "href=\"/gateway/affinity/json/\"");
            }
            application.openGate();
            application.await("result 3");
            application.await(ui + "/affinity/json/", json -> busy(json) == 0);
            assertThat(application.end()).isEmpty();
        }
    }

    @Test
    @Tag("cluster")
    @Tag("one-jdk")
    void theTabOfALocalApplicationComesWithItsFirstStatus() throws Exception {
        List<String> options = List.of(
                "-Dspark.master=local[2]", "-Dspark.berth.level=pu", "-Dspark.ui.filters=" + UiRefusal.class.getName());
        try (UiApplication application = UiApplication.start(folder, "", options)) {
            String ui = application.await("ui ");
            assertThat(application.get(ui + "/jobs/").body()).contains(">Jobs<").doesNotContain(">Affinity<");
            Await.until("the tab", () -> application.get(ui + "/jobs/").body().contains(">Affinity<"));
            JsonNode seen = application.await(ui + "/affinity/json/", json -> busy(json) == 2);
            assertThat(executors(seen).get(0).path("pid").asLong()).isEqualTo(application.pid());
            assertThat(application.get(ui + "/affinity/", "X-Refuse-Me", "yes").statusCode())
                    .isEqualTo(403);
            application.openGate();
            application.await("result 3");
            assertThat(application.end()).isEmpty();
        }
    }

    @Test
    @Tag("release")
    void runsWithoutAWebUi() throws Exception {
        List<String> options =
                List.of("-Dspark.master=local[2]", "-Dspark.berth.plan=" + plan(), "-Dspark.ui.enabled=false");
        try (UiApplication application = UiApplication.start(folder, "", options)) {
            assertThat(application.await("ui ")).isEqualTo("none");
            application.openGate();
            application.await("result 3");
            assertThat(application.end()).isEmpty();
        }
    }

    /** Simulates a Spark whose classes are not those that the tab was built for. */
    @Test
    void warnsOnceWhenTheTabCannotBeLoaded() throws Exception {
        Path broken = folder.resolve("broken/org/berth/spark/ui/UiTab.class");
        Files.createDirectories(broken.getParent());
        Files.createFile(broken);
        try (UiApplication application = UiApplication.start(
                folder,
                folder.resolve("broken") + File.pathSeparator,
                List.of("-Dspark.master=local[2]", "-Dspark.berth.plan=" + plan()))) {
            String ui = application.await("ui ");
            application.openGate();
            application.await("result 3");
            assertThat(application.get(ui + "/jobs/").statusCode()).isEqualTo(200);
            assertThat(application.end())
                    .singleElement()
                    .asString()
                    .startsWith("WARN AffinityPlugin: Berth: no tab Affinity in the web UI of Spark ")
                    .contains("ClassFormatError");
        }
    }

    static List<JsonNode> executors(JsonNode json) {
        List<JsonNode> executors = new ArrayList<>();
        json.path("hosts").forEach(host -> host.path("executors").forEach(executors::add));
        return executors;
    }

    static int busy(JsonNode json) {
        return executors(json).stream()
                .mapToInt(executor -> busyCpus(executor).size())
                .sum();
    }

    /** The CPUs of each slot that runs a task, sorted. */
    static List<String> busyCpus(JsonNode executor) {
        List<String> cpus = new ArrayList<>();
        executor.path("slots")
                .forEach(slot -> slot.path("tasks")
                        .forEach(task -> cpus.add(slot.path("cpus").asText())));
        return cpus.stream().sorted().toList();
    }

    private static long gauge(JsonNode metrics, String end) {
        List<Long> found = new ArrayList<>();
        metrics.path("gauges").properties().forEach(gauge -> {
            if (gauge.getKey().endsWith(end)) {
                found.add(gauge.getValue().path("value").asLong());
            }
        });
        return found.size() == 1 ? found.get(0) : -2;
    }

    private static CpuSet onlineCpus() throws IOException {
        return CpuSet.parseList(
                Files.readString(Path.of("/sys/devices/system/cpu/online")).strip());
    }

    private Path plan() throws IOException {
        return plan(folder, allowed);
    }

    /** Two slots of one CPU each. */
    static Path plan(Path folder, CpuSet allowed) throws IOException {
        StringBuilder text = new StringBuilder("berth-plan 1\nlevel pu\nmemory local\nallowed " + allowed + "\n");
        text.append("oversubscribed no\n");
        List<Integer> cpus =
                Stream.of(allowed.first(), allowed.next(allowed.first())).toList();
        for (int i = 0; i < 2; i++) {
            text.append("slot index=%d worker=0 thread=%d role=task cpus=%s nodes= reason=for a test\n"
                    .formatted(i, i, cpus.get(i)));
        }
        return Files.writeString(folder.resolve("plan"), text);
    }
}
