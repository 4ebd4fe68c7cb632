package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.binding.Discovery;
import org.berth.placement.ThreadRule;
import org.junit.jupiter.api.Test;

/** The list of jobs beside the programs themselves. */
final class JobTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("basedir", "."), "..", "evaluation", "jobs", "src", "main", "java");

    @Test
    void everyJobIsAProgramThatNamesItsThreads() throws Exception {
        assertThat(Job.all()).hasSize(7);
        for (Job job : Job.all()) {
            Path source = SOURCES.resolve(job.mainClass().replace('.', '/') + ".java");
            assertThat(Files.readString(source))
                    .as(job.name())
                    .contains("public static void main", "\"" + job.name() + "\"");
            assertThat(Job.table())
                    .anyMatch(line -> line.startsWith(job.name() + " ") && line.contains(job.scaleUnit()));
        }
        assertThat(Job.named("tpch").jvmOptions()).containsExactly("--add-opens=java.base/java.nio=ALL-UNNAMED");
        assertThat(Job.all().stream().filter(Job::readsInput).map(Job::name)).containsExactly("kmeans");
    }

    @Test
    void sparkPlacesItsTasksAndTheAgentAllOtherThreads() {
        assertThat(JobArms.rules(Job.named("tpch"), "task")).isEmpty();
        assertThat(JobArms.rules(Job.named("serialization"), "task"))
                .isEqualTo(List.of(new ThreadRule("serializer-*", "task")));
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
    void theCommandListsThem() {
        CommandLines.Result result = CommandLines.run("compare", "--jobs");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out().lines()).containsExactlyElementsOf(Job.table());
        assertThat(result.err()).isEmpty();
    }
}
