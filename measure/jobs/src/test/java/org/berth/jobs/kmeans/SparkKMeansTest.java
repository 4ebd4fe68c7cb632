package org.berth.jobs.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.jobs.JobProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The job as a user starts it: a JVM of its own with a real Spark in it. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(300)
class SparkKMeansTest {
    private static final Pattern OUTPUT =
            Pattern.compile("berth-job-seconds=\\d+\\.\\d{3}\nberth-job-result=(\\S+) ([0-9a-f]{8})\n");

    @TempDir
    Path folder;

    private record Run(int exitCode, String out, String err) {
        Matcher result() {
            Matcher matcher = OUTPUT.matcher(out);
            assertThat(matcher.matches()).as("%s", this).isTrue();
            return matcher;
        }
    }

    /** Three clusters around (0, 0), (100, 0) and (0, 100), four rows each at distance 1. */
    @Test
    void findsKnownClustersWithAnyNumberOfThreads() throws Exception {
        Path table = Files.writeString(folder.resolve("table.csv"), knownClusters());
        String[] options = {"--input", table.toString(), "--clusters", "3", "--slices", "5", "--iterations", "3"};

        Run two = start(List.of(), options, "--tile", "1", "--threads", "2");

        assertThat(two.err()).isEmpty();
        assertThat(two.exitCode()).isZero();
        assertThat(Double.parseDouble(two.result().group(1))).isEqualTo(12);

        Run one = start(List.of("-Dspark.master=local[1]"), options, "--tile", "1", "--threads", "2");
        assertThat(one.result().group()).endsWith(resultLine(two));
    }

    @Test
    void givesTheSameResultInEveryRunOfTiledData() throws Exception {
        Path table = Files.writeString(folder.resolve("table.csv"), knownClusters());
        String[] options = {
            "--input", table.toString(), "--clusters", "3", "--slices", "7", "--iterations", "4", "--tile", "500"
        };

        Run one = start(List.of(), options, "--threads", "1");
        Run two = start(List.of(), options, "--threads", "2");

        // The jitter of 1 % of the range (102) moves each of 6,000 rows by about a third of 1.02² on both axes.
        assertThat(Double.parseDouble(one.result().group(1))).isBetween(9_000.0, 11_000.0);
        assertThat(resultLine(two)).isEqualTo(resultLine(one));
    }

    @Test
    void endsWithOneLineAndItsExitCode() throws Exception {
        Run usage = start(List.of(), "--input", "table.csv", "--tile", "many");
        assertThat(usage.err())
                .isEqualTo(
                        "berth: kmeans: Invalid value for option '--scale': 'many' is not a whole number of at least 1"
                                + " (--help lists the options)\n");
        assertThat(usage.exitCode()).isEqualTo(2);

        Path table = Files.writeString(folder.resolve("table.csv"), "1,2\n3,4\n");
        Run clusters = start(List.of(), "--input", table.toString(), "--clusters", "3");
        assertThat(clusters.err())
                .isEqualTo(
                        "berth: kmeans: cannot find 3 clusters in the 2 rows of " + table + "; use fewer --clusters\n");
        assertThat(clusters.exitCode()).isEqualTo(1);

        Run memory = start(
                List.of("-Xmx128m"), "--input", table.toString(), "--clusters", "2", "--tile", "" + Integer.MAX_VALUE);
        assertThat(memory.err())
                .matches("berth: kmeans: the tiled table takes 34360 MB and should take at most half of the Java heap"
                        + " \\(\\d+ MB\\); use a smaller --tile or a larger -Xmx\n");
        assertThat(memory.exitCode()).isEqualTo(1);
    }

    @Test
    void showsAStackTraceOnlyWhenAsked() throws Exception {
        Path table = Files.writeString(folder.resolve("table.csv"), "1,2\n3,4\n");
        List<String> noSuchMaster = List.of("-Dspark.master=nowhere");
        String[] options = {"--input", table.toString(), "--clusters", "1"};

        Run quiet = start(noSuchMaster, options);
        assertThat(quiet.exitCode()).isEqualTo(1);
        assertThat(quiet.err().lines())
                .singleElement()
                .asString()
                .startsWith("berth: kmeans: Spark cannot run the job: ")
                .contains("nowhere");

        Run verbose = start(noSuchMaster, options, "--verbose");
        assertThat(verbose.exitCode()).isEqualTo(1);
        assertThat(verbose.err().lines())
                .anyMatch(line -> line.startsWith("\tat org.berth.jobs.kmeans.SparkKMeans.main("));
    }

    @Test
    void printsItsHelp() throws Exception {
        Run help = start(List.of(), "--help");

        assertThat(help.out())
                .startsWith("Usage: SparkKMeans [OPTIONS] --input=FILE\n")
                .contains("--input=FILE ", "--clusters=N ", "--iterations=N ", "--tile", "--scale", "--slices=N ")
                .contains("(default 100)", "--threads=N ", "--prepare ", "--verbose ", "--help ", "-Dspark.master=URL");
        assertThat(help.exitCode()).isZero();
    }

    private static String knownClusters() {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int[] centre : new int[][] {{0, 0}, {100, 0}, {0, 100}}) {
            for (int[] step : new int[][] {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
                text.append(centre[0] + step[0])
                        .append(',')
                        .append(centre[1] + step[1])
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String resultLine(Run run) {
        return "berth-job-result=" + run.result().group(1) + " " + run.result().group(2) + "\n";
    }

    private Run start(List<String> jvmOptions, String[] first, String... rest) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(first));
        arguments.addAll(List.of(rest));
        return start(jvmOptions, arguments.toArray(String[]::new));
    }

    private Run start(List<String> jvmOptions, String... arguments) throws IOException, InterruptedException {
        JobProcess.Run run = JobProcess.run(folder, List.of(), jvmOptions, SparkKMeans.class, arguments);
        return new Run(run.exitCode(), run.out(), run.err());
    }
}
