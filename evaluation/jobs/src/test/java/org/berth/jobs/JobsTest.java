package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.jobkit.JobEntry;
import org.berth.jobkit.JobList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
class JobsTest {
    @TempDir
    Path folder;

    static List<JobEntry> jobs() {
        return JobList.of(JobList.JOBS);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldNameProgramsWithTheSameOptions(JobEntry job) throws Exception {
        JobProcess.Run help = JobProcess.run(folder, Class.forName(job.mainClass()), "--help");

        assertThat(help.out())
                .startsWith("Usage: " + job.mainClass().substring("org.berth.jobs.".length()))
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
    void shouldOnlyCheckItsOptionsWhenItPrepares(JobEntry job) throws Exception {
        JobProcess.Run run = JobProcess.run(
                folder, Class.forName(job.mainClass()), "--prepare", "--scale", "none", "--threads", "1");

        assertThat(run.err())
                .startsWith("berth: " + job.name() + ": Invalid value for option '--scale': ")
                .hasLineCount(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void shouldMakeItsDataOnceWhenItPrepares() throws Exception {
        String[] words = {"--prepare", "--scale", "0.001", "--threads", "1", "--data", folder + "/data"};
        JobProcess.Run first = JobProcess.run(folder, Tpch.class, words);
        JobProcess.Run second = JobProcess.run(folder, Tpch.class, words);

        assertThat(first.err()).contains("berth: tpch: table 8 of 8, ");
        assertThat(folder.resolve("data/tpch-0.001-v1/lineitem")).isDirectory();
        assertThat(second).isEqualTo(new JobProcess.Run(0, "", ""));
        JobProcess.run(folder, KMeans.class, "--prepare", "--input", folder + "/none.csv")
                .assertFails(
                        1,
                        "kmeans: cannot read a table of numbers from " + folder + "/none.csv: there is no such file");
    }

    /** A command line that lists the jobs needs neither Spark nor picocli on its class path. */
    @Test
    void shouldListThemWithNothingButTheirListOnTheClassPath() throws Exception {
        Process list = start("--tsv");
        String out = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(list.waitFor()).isZero();
        assertThat(out.lines())
                .hasSameSizeAs(JobList.of(JobList.JOBS))
                .allSatisfy(line -> assertThat(line.split("\t", -1)).hasSize(11));
        assertThat(out).startsWith("kmeans\torg.berth.jobs.KMeans\tspark\tExecutor task *\t");

        Process wrong = start("--json");
        assertThat(new String(wrong.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("berth: jobs: unknown option '--json'; there is --tsv\n");
        assertThat(wrong.waitFor()).isEqualTo(2);
    }

    private static Process start(String option) throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        Path list = Path.of(JobList.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return new ProcessBuilder(java, "-cp", "target/classes:" + list, Jobs.class.getName(), option).start();
    }
}
