package org.berth.cli.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.jobkit.EngineArm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of engines, and what they become. */
final class EngineArmsTest {
    private static List<Arm> arms(String list, Optional<String> cluster) {
        JobRun run = new JobRun(Job.named("mr-wordcount"), Path.of("libraries"), List.of("--data", "here"));
        return EngineArms.experiment(run, EngineArms.WORDS.parse(list, false), cluster, 2)
                .arms();
    }

    @Test
    void eachWordIsAnArmWithItsHeap() {
        List<Arm> arms = arms("local, local-4,berth+heap=256m+level=core", Optional.empty());
        assertThat(arms).extracting(Arm::name).containsExactly("local", "local-4", "berth+heap=256m+level=core");
        assertThat(arms.get(0).command())
                .containsSubsequence("-Xmx2g", "-cp", "libraries/*", "--engine", "local")
                .doesNotContain("--cluster");
        assertThat(arms.get(2).command())
                .containsSubsequence("-Xmx256m", "--engine", "berth+heap=256m+level=core")
                .doesNotContain("-Xmx2g");
        assertThat(EngineArm.parse("berth+heap=256m+level=core").settings())
                .containsExactly(Map.entry("berth.mapreduce.level", "core"));
        assertThat(EngineArm.parse("local-4").localTasks()).isEqualTo(4);
    }

    @Test
    void armsOnYarnShareTheCluster() {
        List<Arm> arms = arms("berth,yarn,tez", Optional.of("client.xml"));
        assertThat(arms.get(0).command()).doesNotContain("client.xml");
        assertThat(arms.get(1).command()).containsSubsequence("--cluster", "client.xml", "--engine", "yarn");
        assertThat(arms.get(2).command()).containsSubsequence("--cluster", "client.xml", "--engine", "tez");
        assertThat(arms).extracting(arm -> arm.elsewhere().isEmpty()).containsExactly(true, false, false);
    }

    @Test
    void armsOnSparkHaveItsLibraries(@TempDir Path spark) {
        String property = "org.berth.jobs.spark.lib";
        assertThatThrownBy(() -> arms("berth,berth-spark", Optional.empty()))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("cannot find Spark")
                .hasMessageContaining("./berth bench");
        System.setProperty(property, spark.toString());
        try {
            List<Arm> arms = arms("berth,spark-rdd", Optional.empty());
            assertThat(arms.get(0).command()).contains("libraries/*");
            assertThat(arms.get(1).command())
                    .contains(spark + "/*", "--add-opens=java.base/java.nio=ALL-UNNAMED")
                    .doesNotContain("libraries/*");
            assertThat(arms.get(1).environment()).containsEntry("SPARK_LOCAL_IP", "127.0.0.1");
        } finally {
            System.clearProperty(property);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            local              | give at least two
            berth,berth        | is given twice
            local,hadoop       | unknown engine 'hadoop'
            local,local-0      | unknown engine 'local-0'
            berth,             | a word is empty
            berth,berth+level  | not of the form +KEY=VALUE
            berth,berth+heap=x | is not a size such as
            yarn,tez+level=pu  | +level is for berth and berth-spark
            """)
    void wrongWordsAreUsageErrors(String list, String message) {
        assertThatThrownBy(() -> EngineArms.WORDS.parse(list, false))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theUsualArmsAreValid() {
        assertThat(EngineArms.WORDS.parse(EngineArms.ordinary(), false)).hasSizeGreaterThan(1);
    }
}
