package org.berth.cli.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.CommandLines;
import org.berth.experiments.Metric;
import org.berth.jobkit.JobEntry;
import org.berth.oracle.Child;
import org.berth.placement.ThreadRule;
import org.junit.jupiter.api.Test;

/** The list of jobs compared with the programs themselves. */
final class JobTest {
    private static final int WIDE = Integer.MAX_VALUE;

    private static final Path SOURCES = Path.of(System.getProperty("basedir", "."), "..", "measure");

    @Test
    void everyJobIsAProgramThatNamesItsThreads() throws Exception {
        assertThat(Job.all()).hasSize(25);
        for (Job job : Job.all()) {
            String module = job.hasPolicies()
                    ? "uploads"
                    : job.hasEngines() ? "examples" : job.kind() == JobEntry.Kind.CALLS ? "calls" : "jobs";
            Path sources = SOURCES.resolve(module).resolve("src/main/java");
            Path source = sources.resolve(job.program().get(0).replace('.', '/') + ".java");
            assertThat(Files.readString(source)).as(job.name()).contains("public static void main");
            assertThat(Files.readString(job.hasEngines() ? source.resolveSibling("ExampleKind.java") : source))
                    .contains("\"" + job.name() + "\"");
            assertThat(Job.table(WIDE))
                    .anyMatch(line -> line.startsWith(job.name() + " ") && line.contains(job.scaleUnit()));
        }
        assertThat(Job.named("tpch").jvmOptions()).containsExactly("--add-opens=java.base/java.nio=ALL-UNNAMED");
        assertThat(Job.all().stream().filter(Job::readsInput).map(Job::name))
                .containsExactly(
                        "kmeans",
                        "mr-sort",
                        "mr-kmeans",
                        "mr-pagerank",
                        "mr-components",
                        "mr-duplicates",
                        "mr-correction");
    }

    @Test
    void sparkPlacesItsTasksAndTheAgentAllOtherThreads() {
        assertThat(JobArms.rules(Job.named("tpch"))).isEmpty();
        assertThat(JobArms.rules(Job.named("serialization")))
                .isEqualTo(List.of(new ThreadRule("serializer-*", "task")));
    }

    @Test
    void tinyTasksComparesSettingsOfThePlugin() {
        Job job = Job.named("tiny-tasks");

        assertThat(job.metrics(List.of()).stream().map(Metric::name)).containsExactly("job", "cpu", "start");
        assertThat(SettingArms.WORDS.parse(SettingArms.DEFAULT, false)).containsExactly("stock", "auto", "core");
        assertThat(SettingArms.options("stock")).isEmpty();
        assertThat(SettingArms.options("core+guard=off"))
                .containsExactly(
                        "-Dspark.plugins=org.berth.spark.AffinityPlugin",
                        "-Dspark.berth.level=core",
                        "-Dspark.berth.guard=off");
    }

    @Test
    void aMemoryJobSaysWhatOneNodeCannotShow() {
        assertThat(JobArms.limits(Job.named("latency"), Discovery.synthetic("pack:1 core:2 pu:1")))
                .singleElement()
                .asString()
                .startsWith("note: there is one memory node");
        assertThat(JobArms.limits(Job.named("latency"), Discovery.synthetic("pack:2 [numa] core:2 pu:1")))
                .isEmpty();
        assertThat(JobArms.limits(Job.named("kmeans"), Discovery.synthetic("pack:1 core:2 pu:1")))
                .isEmpty();
    }

    @Test
    void jobsOnHdfsNameTheirNumbers() {
        Job upload = Job.named("upload");
        assertThat(upload.series()).isEmpty();
        assertThat(upload.metrics(List.of()).stream().map(Metric::name))
                .containsExactly("upload", "datanode-CPU", "client-CPU", "lock-wait", "migrations");
        assertThat(upload.metrics(List.of()).get(0).better()).isEqualTo(Metric.Better.HIGHER);
        assertThat(upload.workers()).hasSize(2).anyMatch(name -> name.mayMatch("PacketResponder"));
        Job clients = Job.named("clients");
        assertThat(clients.series()).contains("--clients");
        assertThat(clients.metrics(clients.options()).stream().map(Metric::name))
                .containsExactly("upload-by-1", "upload-by-2", "upload-by-4", "upload-by-8");
        assertThat(clients.metrics(List.of("--clients", "1,16"))
                        .get(1)
                        .pattern()
                        .pattern())
                .isEqualTo("^berth-write-aggregate-mb-per-second-by-16-clients=([0-9.]+)");
        assertThat(Job.named("tpch").metrics(List.of())).containsExactly(Job.SECONDS);
    }

    @Test
    void onANarrowTerminalAJobIsAParagraph() {
        Child.Result result = CommandLines.fork(List.of(), Map.of("COLUMNS", "40"), "bench");
        assertThat(result.out().lines())
                .as("what is narrower cannot be read")
                .allMatch(line -> line.length() <= 60)
                .anyMatch(line -> line.startsWith("kmeans  "))
                .hasSizeGreaterThan(Job.all().size());
    }

    @Test
    void theCommandListsThem() {
        Child.Result result = CommandLines.run("bench");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out().lines()).containsExactlyElementsOf(Job.table(WIDE));
        assertThat(result.err()).isEmpty();
    }
}
