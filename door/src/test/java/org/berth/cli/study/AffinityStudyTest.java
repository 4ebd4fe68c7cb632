package org.berth.cli.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Which parts and arms the options of a study give on a machine. */
final class AffinityStudyTest {
    private static final Topology MACHINE = Discovery.synthetic("pack:2 [numa] core:4 pu:2");

    private static AffinityStudy study(
            Topology machine, String engines, String threads, String scale, String... options) {
        return studyOf(machine, engines, threads, scale, "", options);
    }

    private static AffinityStudy studyOf(
            Topology machine, String engines, String threads, String scale, String input, String... options) {
        List<String> words = new ArrayList<>(List.of(options));
        Map.of("--engines", engines, "--threads", threads, "--scale", scale, "--input", input)
                .forEach((option, value) -> {
                    if (!value.isEmpty()) {
                        words.addAll(List.of(option, value));
                    }
                });
        AffinityOptions given = new AffinityOptions();
        new CommandLine(given).parseArgs(words.toArray(new String[0]));
        return AffinityStudy.of(given, machine);
    }

    private static Experiment experiment(AffinityPart part) {
        JobRun run = new JobRun(part.job(), Path.of("libraries"), List.of("--data", "here"));
        return part.experiment(run, Path.of("/study/spark-home"));
    }

    @Test
    void twoWorkersHaveAThreadForEachCoreAndThenForEachPu() {
        AffinityStudy study = study(MACHINE, "", "", "", "--workloads", "sort, wordcount");
        assertThat(study.threads()).containsExactly(4, 8);
        assertThat(study.parts(MACHINE))
                .extracting(part -> part.job().name() + ", " + part.setting())
                .containsExactly(
                        "mr-sort, berth-spark, 2 workers of 4 threads",
                        "mr-wordcount, berth-spark, 2 workers of 4 threads",
                        "mr-sort, berth-spark, 2 workers of 8 threads",
                        "mr-wordcount, berth-spark, 2 workers of 8 threads");
        assertThat(study.parts(MACHINE)).extracting(AffinityPart::folder).doesNotHaveDuplicates();
    }

    @Test
    void eachLevelThatDiffersIsAnArmOfLocalExecutors(@TempDir Path spark) {
        String property = "org.berth.jobs.spark.lib";
        System.setProperty(property, spark.toString());
        try {
            AffinityPart part = study(MACHINE, "berth-spark+heap=3g", "2", "", "--workloads", "sort")
                    .parts(MACHINE)
                    .get(0);
            Experiment experiment = experiment(part);
            assertThat(experiment.arms()).extracting(Arm::name).containsExactly("none", "numa", "core", "pu");
            assertThat(part.arms().same().values()).hasSize(1);
            Arm core = experiment.arms().get(2);
            assertThat(core.command())
                    .containsSubsequence(
                            "-Xmx3g",
                            "-Dspark.executor.memory=3072m",
                            spark + "/*",
                            "--engine",
                            "berth-spark+heap=3g+level=core+spark.master=local-cluster[2,2,3072]");
            assertThat(core.environment()).containsEntry("SPARK_HOME", "/study/spark-home");
            JobRun run = new JobRun(part.job(), Path.of("libraries"), List.of());
            assertThat(part.ready(run, spark).runs(3, 1)).isEqualTo(4 * 4);
        } finally {
            System.clearProperty(property);
        }
    }

    @Test
    void oneWorkerIsTheEmbeddedEngine() {
        AffinityStudy study = study(
                MACHINE, "", "8", "sort=3,wordcount=5", "--workers", "1", "--workloads", "sort,terasort,wordcount");
        AffinityPart part = study.parts(MACHINE).get(0);
        assertThat(experiment(part).arms().get(1).command())
                .containsSubsequence("libraries/*", "--engine", "berth+level=numa+threads=8");
        assertThat(study.workloads().stream().map(study::scale))
                .containsExactly(Optional.of("3"), Optional.empty(), Optional.of("5"));
        assertThat(study(MACHINE, "", "", "7", "--workloads", "sort").scales()).isEqualTo(Map.of("sort", "7"));
    }

    @Test
    void aWorkloadReadsTheUsersFile() {
        AffinityStudy study =
                studyOf(MACHINE, "", "", "", "sort=/a=b, pagerank=graph", "--workloads", "sort,kmeans,pagerank");
        assertThat(study.workloads().stream().map(study::input))
                .containsExactly(Optional.of(Path.of("/a=b")), Optional.empty(), Optional.of(Path.of("graph")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            graph;      --input graph: a study needs the workload, too
            sort=;      --input sort=: a study needs the workload, too
            kmeans=t;   --input kmeans=t: 'kmeans' is not one of the workloads
            pi=f;       --input pi=f: this workload reads no file
            sort=a,,;   --input 'sort=a,,': a word is empty
            """)
    void wrongInputsAreUsageErrors(String input, String message) {
        assertThatThrownBy(() -> studyOf(MACHINE, "", "", "", input, "--workloads", "sort,pi"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message);
    }

    @Test
    void allWorkloadsOfTheLiteratureAreJobs() {
        assertThat(study(MACHINE, "", "", "").workloads()).hasSize(6);
    }

    @ParameterizedTest(name = "{0} {1} {2} {3}")
    @CsvSource(delimiter = ';', nullValues = "-", textBlock = """
            -;     -;  -;      --workloads=kmean; --workloads 'kmean': choose from
            local; -;  -;      --workers=1 --workloads=sort; --engines local: levels have no meaning for it
            berth; -;  -;      --workers=2 --workloads=sort; --engines berth --workers 2: this engine is one process
            -;     2,; -;      --workers=2 --workloads=sort; --threads '2,': a word is empty
            -;     -;  tera=5; --workloads=sort;  is not one of the workloads
            -;     -;  -;      --workers=0 --workloads=sort; --workers 0: not a count
            """)
    void wrongWordsAreUsageErrors(
            @Nullable String engines, @Nullable String threads, @Nullable String scale, String option, String message) {
        assertThatThrownBy(() -> study(
                        MACHINE,
                        Objects.requireNonNullElse(engines, ""),
                        Objects.requireNonNullElse(threads, ""),
                        Objects.requireNonNullElse(scale, ""),
                        option.split(" ")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aMachineWithoutLevelsHasNothingToStudy() {
        Topology one = Discovery.synthetic("pack:1 core:1 pu:1");
        AffinityStudy study = study(one, "", "", "", "--workloads", "sort");
        assertThatThrownBy(() -> study.parts(one))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("nothing to compare");
    }
}
