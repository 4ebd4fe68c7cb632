package org.berth.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.jobkit.JobEntry;
import org.berth.jobkit.JobList;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs as a user starts them. */
@Timeout(300)
@Tag("one-jdk")
@Tag("cluster")
class CallsTest {
    private static Child.Result run(Class<?> job, String... words) throws Exception {
        return Child.run(ChildJvm.of(job, words)
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m")
                .command()
                .toArray(String[]::new));
    }

    /** What berth bench looks for, as the list of jobs says it. */
    private static void assertPrintsItsNumbers(String job, Child.Result run, List<String> places) {
        assertThat(run.exitCode()).as(run.err()).isZero();
        JobEntry entry = JobList.of(JobList.CALLS).stream()
                .filter(one -> one.name().equals(job))
                .findFirst()
                .orElseThrow();
        for (String number : entry.numbers()) {
            for (String place : places) {
                Pattern pattern = Pattern.compile(
                        number.substring(number.indexOf('=') + 1).replace("@", place));
                assertThat(run.out().lines())
                        .as(number)
                        .anyMatch(line -> pattern.matcher(line).find());
            }
        }
        assertThat(run.out()).containsPattern("(?m)^berth-job-seconds=[0-9.]+$");
    }

    @ParameterizedTest
    @CsvSource({"stock,''", "local+inline=true,(local)", "tcp,(tcp)"})
    void latencyIsThatOfTheWayThatWasAskedFor(String way, String logged) throws Exception {
        Child.Result run = run(RpcLatency.class, "--scale", "1", "--sizes", "1,64k", "--warm-up", "1", "--way", way);
        assertPrintsItsNumbers("rpc-latency", run, List.of("1", "64k"));
        assertThat(run.out()).contains("berth-job-result=3254 calls of 1, 64k\n");
        if (logged.isEmpty()) {
            assertThat(run.err()).doesNotContain("transport");
        } else {
            assertThat(run.err()).contains("goes over the transport " + logged);
            assertThat(run.err().contains(", inline: org.berth.calls.BytesEcho"))
                    .isEqualTo(way.contains("inline"));
        }
    }

    @Test
    void throughputHasAConnectionForEachClient() throws Exception {
        Child.Result run = run(RpcThroughput.class, "--scale", "1", "--clients", "2,3", "--way", "local");
        assertPrintsItsNumbers("rpc-throughput", run, List.of("2", "3"));
        assertThat(run.out()).contains("berth-job-result=echoes of 512 bytes to [2, 3] clients\n");
        assertThat(run.err().lines().filter(line -> line.contains("goes over the transport (local)")))
                .isNotEmpty();
    }

    /** Numbers of another way than the one in the table would be a lie. */
    @Test
    void callsByAnotherWayAreAFailure() throws Exception {
        Child.Result run =
                run(RpcLatency.class, "--scale", "1", "--sizes", "1", "--warm-up", "1", "--way", "local+providers=tcp");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("berth: rpc-latency: way 'local+providers=tcp': only 0 of 1 connections are of local");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --sizes | 1,big | is not a size up to 32m
            --way   | fast  | unknown way 'fast': choose from stock
            """)
    void saysWhatIsWrongInOneLine(String option, String value, String message) throws Exception {
        Child.Result run = run(RpcLatency.class, option, value);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("berth: rpc-latency: ")
                .contains(message);
    }

    @Test
    void callsAreListedWithTheirOptionsAndDescribed() throws Exception {
        assertThat(JobList.of(JobList.CALLS)).hasSize(2);
        for (JobEntry job : JobList.of(JobList.CALLS)) {
            Child.Result help = run(Class.forName(job.mainClass()), "--help");
            assertThat(help.out()).contains("--scale=N", "default " + job.scale() + ")", "--way=WAY");
            assertThat(help.out()).contains("default " + job.options().get(1) + ")");
            assertThat(Files.readString(Path.of("..", "..", "docs", "guide", "jobs.md")))
                    .contains("./berth bench " + job.name());
        }
    }
}
