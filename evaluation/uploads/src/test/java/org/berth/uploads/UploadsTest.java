package org.berth.uploads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs as a user starts them. */
@Timeout(300)
class UploadsTest {
    @TempDir
    Path folder;

    @Test
    void shouldWriteAndReadOnAClusterOfItsOwnAndLeaveNothing() throws Exception {
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
                .anyMatch(line -> line.matches("write-aggregate-mb-per-second=[0-9.]+"))
                .anyMatch(line -> line.matches("read-throughput-mb-per-second=[0-9.]+"))
                .anyMatch(line -> line.matches("write-datanode-cpu-seconds-per-gb=[0-9.]+"))
                .anyMatch(line -> line.matches("berth-job-seconds=[0-9.]+"))
                .anyMatch(line -> line.matches("berth-job-result=54 MB [0-9a-f]{8}"));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsWrongInOneLine() throws Exception {
        Run run = run(Map.of(), "Upload", "--clients", "none");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.lines()).containsExactly("berth: upload: --clients is 'none': give a number from 1 to 1000");
    }

    @ParameterizedTest
    @CsvSource({"--policy,best,paper", "--replicas,3,2 DataNodes", "--scale,0,1 to", "--size,3,--help"})
    void shouldRefuse(String option, String value, String told) {
        assertThatThrownBy(() -> UploadOptions.parse(List.of(option, value), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(told);
    }

    @Test
    void shouldTakeThePolicyFromTheEnvironmentAndRatherFromTheCommandLine() {
        Map<String, String> environment = Map.of("BERTH_HDFS_POLICY", "paper");
        assertThat(UploadOptions.parse(List.of(), environment).arm()).isEqualTo(UploadOptions.Arm.PAPER);
        assertThat(UploadOptions.parse(List.of("--policy", "node"), environment).arm())
                .isEqualTo(UploadOptions.Arm.NODE);
        assertThat(UploadOptions.parse(List.of("--scale", "100"), Map.of()).megabytes())
                .isEqualTo(2700);
    }

    private record Run(int exitCode, String text) {
        List<String> lines() {
            return text.lines().toList();
        }
    }

    private static Run run(Map<String, String> environment, String job, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "org.berth.uploads." + job));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), text);
    }
}
