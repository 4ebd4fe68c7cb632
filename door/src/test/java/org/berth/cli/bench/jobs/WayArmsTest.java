package org.berth.cli.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Metric;
import org.berth.jobkit.WayArm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of ways, and what they become. */
final class WayArmsTest {
    @Test
    void eachWordIsAnArm() {
        Job job = Job.named("rpc-latency");
        JobRun run = new JobRun(job, Path.of("libraries"), List.of("--sizes", "1,64k"));
        List<WayArm> ways = WayArms.WORDS.parse("stock, local+wait=spin+inline=true", false);
        var experiment = WayArms.experiment(run, ways, Optional.empty(), 2);
        assertThat(experiment.arms()).extracting(Arm::name).containsExactly("stock", "local+wait=spin+inline=true");
        assertThat(experiment.arms().get(1).command())
                .containsSubsequence("-Xmx1g", "-cp", "libraries/*", "--way", "local+wait=spin+inline=true");
        assertThat(experiment.metrics())
                .extracting(Metric::name)
                .containsExactly("p50-1", "p50-64k", "p99-1", "p99-64k", "mean-1", "mean-64k");
        assertThat(ways.get(1).settings()).isEqualTo(Map.of("wait", "spin", "inline", "true"));
    }

    @Test
    void executorsOfSparkFindItsLibraries(@TempDir Path folder) throws Exception {
        JobRun run = new JobRun(Job.named("shuffle"), Path.of("libraries").toAbsolutePath(), List.of());
        Path home = WayArms.sparkHome(folder, run.libraries());
        assertThat(Files.readSymbolicLink(home.resolve("jars"))).isEqualTo(run.libraries());
        Arm arm = WayArms.experiment(run, WayArms.WORDS.parse("stock,berth", false), Optional.of(home), 2)
                .arms()
                .get(1);
        assertThat(arm.environment()).containsEntry("SPARK_HOME", home.toString());
        assertThat(arm.command()).contains("--add-opens=java.base/java.nio=ALL-UNNAMED");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            local          | give at least two
            stock,stock    | is given twice
            stock,rdma     | unknown way 'rdma'
            stock,local+x  | not of the form +KEY=VALUE
            tcp,stock+x=1  | stock has no settings
            """)
    void wrongWordsAreUsageErrors(String list, String message) {
        assertThatThrownBy(() -> WayArms.WORDS.parse(list, false))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theUsualArmsAreThoseOfThisHost() {
        WayArms.Choice usual = WayArms.ordinary();
        assertThat(usual.arms()).extracting(WayArm::word).contains("stock", "local", "tcp");
        assertThat(usual.arms().size() + usual.absent().size()).isEqualTo(4);
    }
}
