package org.berth.uploads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.jobkit.HdfsArm;
import org.berth.jobkit.JobEntry;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobList;
import org.berth.jobkit.JobMain;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs as a user starts them. */
@Timeout(300)
@Tag("one-jdk")
@Tag("cluster")
class UploadsTest {
    @TempDir
    Path folder;

    @Test
    void writesAndReadsOnAnOwnClusterAndLeavesNothing() throws Exception {
        Run run = run(
                Map.of("BERTH_HDFS_POLICY", "node"),
                "Dfsio",
                "--scale",
                "1",
                "--datanodes",
                "1",
                "--dir",
                folder.toString());

        assertThat(run.exitCode()).as(run.text()).isZero();
        assertThat(run.lines())
                .anyMatch(line -> line.matches("berth-write-aggregate-mb-per-second=[0-9.]+"))
                .anyMatch(line -> line.matches("berth-read-throughput-mb-per-second=[0-9.]+"))
                .anyMatch(line -> line.matches("berth-write-datanode-cpu-seconds-per-gb=[0-9.]+"))
                .anyMatch(line -> line.matches("berth-job-seconds=[0-9.]+"))
                .anyMatch(line -> line.matches("berth-job-result=54 MB [0-9a-f]{8}"));
        assertPrintsItsNumbers("dfsio", run, List.of());
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    @Tag("release")
    void uploadsWithEverMoreClients() throws Exception {
        Run run = run(
                Map.of(),
                "Clients",
                "--scale",
                "1",
                "--datanodes",
                "1",
                "--clients",
                "1,3",
                "--policy",
                "interrupt",
                "--dir",
                folder.toString());

        assertThat(run.exitCode()).as(run.text()).isZero();
        assertPrintsItsNumbers("clients", run, List.of("1", "3"));
        assertThat(run.lines()).anyMatch(line -> line.matches("berth-job-result=27 MB [0-9a-f]{8}, 81 MB [0-9a-f]{8}"));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    /** What berth bench looks for, as the list of jobs says it. */
    private static void assertPrintsItsNumbers(String job, Run run, List<String> clients) {
        JobEntry entry = JobList.of(JobList.UPLOADS).stream()
                .filter(one -> one.name().equals(job))
                .findFirst()
                .orElseThrow();
        List<String> each = clients.isEmpty() ? List.of("") : clients;
        for (String number : entry.numbers()) {
            for (String one : each) {
                Pattern pattern = Pattern.compile(
                        number.substring(number.indexOf('=') + 1).replace("@", one));
                assertThat(run.lines())
                        .as(number)
                        .anyMatch(line -> pattern.matcher(line).find());
            }
        }
    }

    @Test
    void uploadsAreListedWithTheirOptionsAndDescribed() throws Exception {
        assertThat(JobList.of(JobList.UPLOADS)).hasSize(3);
        for (JobEntry job : JobList.of(JobList.UPLOADS)) {
            String name = job.mainClass().substring("org.berth.uploads.".length());
            Run help = run(Map.of(), name, "--help");
            assertThat(help.text())
                    .startsWith("Usage: " + name)
                    .contains("--scale=N", "default " + job.scale() + ")", "--prepare", "--clients=N");
            Run prepared = run(Map.of(), name, "--prepare", "--scale", "none");
            assertThat(prepared.lines())
                    .containsExactly(
                            "berth: " + job.name() + ": Invalid value for option '--scale': 'none' is not a whole"
                                    + " number of at least 1 (--help lists the options)");
            assertThat(prepared.exitCode()).isEqualTo(2);
            assertThat(Files.readString(Path.of("..", "..", "docs", "guide", "jobs.md")))
                    .contains("./berth bench " + job.name());
        }
        Run prepared = run(Map.of(), "Upload", "--prepare", "--dir", folder.toString());
        assertThat(prepared).isEqualTo(new Run(0, ""));
    }

    @Test
    void saysWhatIsWrongInOneLine() throws Exception {
        Run run = run(Map.of(), "Upload", "--clients", "none");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.lines())
                .containsExactly("berth: upload: Invalid value for option '--clients': 'none' is not a whole"
                        + " number of at least 1 (--help lists the options)");
    }

    @ParameterizedTest
    @CsvSource({
        "--policy,best,interrupt",
        "--replicas,3,2 DataNodes",
        "--scale,0,at least 1",
        "--scale,10001,greater than 10000",
        "--size,3,--help",
        "--clients,'1,2',whole number",
        "--dir,/none,not a folder"
    })
    void refuses(String option, String value, String told) {
        assertThatThrownBy(() -> JobMain.parse(new Upload.UploadOptions(), List.of(option, value)))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessageContaining(told);
    }

    @Test
    void prefersThePolicyOfTheCommandLineToTheEnvironment() throws Exception {
        Map<String, String> environment = Map.of("BERTH_HDFS_POLICY", "best");
        assertThat(run(environment, "Upload", "--prepare").lines())
                .containsExactly(
                        "berth: upload: Invalid value for option '--policy': 'best' is not one of [stock, none, node, interrupt, fast-rpc]"
                                + " (--help lists the options)");
        assertThat(run(environment, "Upload", "--prepare", "--policy", "node")).isEqualTo(new Run(0, ""));
    }

    @Test
    void uploadsHaveTheDefaultsOfTheDocumentation() {
        Upload.UploadOptions options = new Upload.UploadOptions();
        JobMain.parse(options, List.of("--policy", "node"));
        assertThat(options.arm()).isEqualTo(HdfsArm.NODE);
        JobMain.parse(options, List.of("--policy", "paper"));
        assertThat(options.arm()).as("an alias").isEqualTo(HdfsArm.INTERRUPT);
        assertThat(options.clients()).containsExactly(2);
        assertThat(options.megabytes()).isEqualTo(270);
        assertThat(options.dataNodes()).isEqualTo(2);
        assertThat(options.replicas()).isEqualTo(2);

        Upload.UploadOptions large = new Upload.UploadOptions();
        JobMain.parse(large, List.of("--scale", "100", "--datanodes", "4"));
        assertThat(large.megabytes()).isEqualTo(2700);
        assertThat(large.replicas()).isEqualTo(3);
    }

    private record Run(int exitCode, String text) {
        List<String> lines() {
            return text.lines().toList();
        }
    }

    private static Run run(Map<String, String> environment, String job, String... options)
            throws ClassNotFoundException {
        ChildJvm jvm = ChildJvm.of(Class.forName("org.berth.uploads." + job), options)
                .with("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        ProcessBuilder builder = ChildJvm.withEnvironment(new ProcessBuilder(jvm.command()), environment);
        Child.Result result = Child.run(builder.redirectErrorStream(true));
        return new Run(result.exitCode(), result.out());
    }
}
