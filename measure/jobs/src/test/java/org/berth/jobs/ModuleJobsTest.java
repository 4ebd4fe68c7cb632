package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.jobkit.JobEntry;
import org.berth.jobkit.JobList;
import org.berth.jobs.kmeans.SparkKMeans;
import org.berth.jobs.tpch.Tpch;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("one-jdk")
@Tag("long")
@Timeout(300)
class ModuleJobsTest {
    @TempDir
    Path folder;

    static List<JobEntry> jobs() {
        return JobList.of(JobList.JOBS);
    }

    @ParameterizedTest
    @Tag("release")
    @MethodSource("jobs")
    void namesProgramsWithTheSameOptions(JobEntry job) throws Exception {
        JobProcess.Run help = JobProcess.run(folder, Class.forName(job.mainClass()), "--help");

        assertThat(help.out())
                .startsWith(
                        "Usage: " + job.mainClass().substring(job.mainClass().lastIndexOf('.') + 1))
                .contains("--scale", "--threads=N", "--prepare", "--verbose", "--help", "default " + job.scale() + ")");
        assertThat(help.exitCode()).isZero();
        for (String option : job.options()) {
            assertThat(option.startsWith("--") ? help.out() : "INPUT DATA").contains(option);
        }
        assertThat(Files.readString(Path.of("..", "..", "docs", "guide", "jobs.md")))
                .contains("## " + job.name() + ":", job.mainClass());
    }

    @ParameterizedTest
    @MethodSource("jobs")
    @Tag("release")
    void onlyChecksItsOptionsWhenItPrepares(JobEntry job) throws Exception {
        JobProcess.Run run = JobProcess.run(
                folder, Class.forName(job.mainClass()), "--prepare", "--scale", "none", "--threads", "1");

        assertThat(run.err())
                .startsWith("berth: " + job.name() + ": Invalid value for option '--scale': ")
                .hasLineCount(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void makesItsDataOnceWhenItPrepares() throws Exception {
        String[] words = {"--prepare", "--scale", "0.001", "--threads", "1", "--data", folder + "/data"};
        JobProcess.Run first = JobProcess.run(folder, Tpch.class, words);
        JobProcess.Run second = JobProcess.run(folder, Tpch.class, words);

        assertThat(first.err()).contains("berth: tpch: table 8 of 8, ");
        assertThat(folder.resolve("data/tpch-0.001-v1/lineitem")).isDirectory();
        assertThat(second).isEqualTo(new JobProcess.Run(0, "", ""));
        JobProcess.run(folder, SparkKMeans.class, "--prepare", "--input", folder + "/none.csv")
                .assertFails(
                        1,
                        "kmeans: cannot read a table of numbers from " + folder + "/none.csv: there is no such file");
    }

    /** A command line that lists the jobs needs neither Spark nor picocli on its class path. */
    @Test
    void listsThemWithNothingButTheirListOnTheClassPath() throws Exception {
        String out = list("--tsv").output();

        assertThat(out.lines())
                .hasSameSizeAs(JobList.of(JobList.JOBS))
                .allSatisfy(line -> assertThat(line.split("\t", -1)).hasSize(11));
        assertThat(out).startsWith("kmeans\torg.berth.jobs.kmeans.SparkKMeans\tspark\tExecutor task *\t");
        assertThat(list("--json"))
                .isEqualTo(new Child.Result(2, "", "berth: jobs: unknown option '--json'; there is --tsv\n"));
    }

    private static Child.Result list(String option) throws Exception {
        Path list = Path.of(JobList.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return ChildJvm.of(ModuleJobs.class, option)
                .classPath("target/classes:" + list)
                .run();
    }
}
