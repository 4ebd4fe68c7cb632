package org.berth.jobs.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.berth.jobs.JobProcess;
import org.berth.jobs.SplitMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every task runs once in each wave, and the numbers that are compared are printed. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(300)
class TinyTasksTest {
    private static final String RATIO = "\\d\\.\\d{3} \\(standard error \\d\\.\\d{3}\\)";

    @TempDir
    Path folder;

    @Test
    void runsEachTaskOnceInEachWave() throws Exception {
        JobProcess.Run run = JobProcess.run(folder, TinyTasks.class, "--scale", "1", "--waves", "2", "--threads", "2");

        long sum = 2 * LongStream.range(0, 1000).map(SplitMix::mix).sum();
        assertThat(run.result()).isEqualTo(String.format("2000 tasks %016x", sum));
        assertThat(run.out().lines().filter(line -> line.matches("berth-(cpu|start)-seconds=\\d+\\.\\d{3}")))
                .hasSize(2);
        assertThat(run.err()).isEmpty();
    }

    @Test
    @Tag("release")
    void switchesTheHooksOfAPluginInTurns() throws Exception {
        List<String> plugin = List.of("-Dspark.plugins=org.berth.spark.AffinityPlugin", "-Dspark.berth.level=pu");
        JobProcess.Run run = JobProcess.run(
                folder,
                List.of(),
                plugin,
                TinyTasks.class,
                "--scale",
                "1",
                "--waves",
                "1",
                "--turns",
                "2",
                "--threads",
                "2");

        assertThat(run.out().lines())
                .anyMatch(line -> line.matches("org\\.berth\\.spark\\.AffinityPlugin, hooks on / off: CPU time " + RATIO
                        + ", wall time " + RATIO + ", 2 blocks of four waves"));
        assertThat(run.out()).contains("1000 tasks ");
    }

    @Test
    void switchesNoPluginsOfOtherJvms() throws Exception {
        List<String> options = List.of("-Dspark.plugins=a.B,c.D", "-Dspark.master=local[2]");
        JobProcess.run(folder, List.of(), options, TinyTasks.class, "--turns", "2")
                .assertFails(
                        2,
                        "tiny-tasks: --turns switches one plugin (spark.plugins=a.B,c.D) in local mode"
                                + " (spark.master=local[2]) (--help lists the options)");
    }

    @Test
    void theRatioOfBlocksIsTheirGeometricMean() {
        assertThat(AlternatingBlocks.mean(new double[] {Math.log(2), Math.log(0.5)}))
                .isEqualTo("1.000 (standard error 0.693)");
        assertThat(AlternatingBlocks.mean(new double[] {Math.log(1.25)})).isEqualTo("1.250");
    }

    @Test
    void refusesMoreTasksThanADriverHolds() throws Exception {
        JobProcess.run(folder, TinyTasks.class, "--scale", "1001")
                .assertFails(
                        2,
                        "tiny-tasks: Invalid value for option '--scale': '1001' is greater than 1000 (--help lists the"
                                + " options)");
    }
}
