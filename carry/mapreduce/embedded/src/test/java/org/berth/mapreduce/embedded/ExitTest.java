package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.berth.hadoopjobs.Mappers;
import org.berth.hadoopjobs.TestJobs;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that would end the JVM. This class runs on each JDK, since the guard changes a class of the JDK. */
class ExitTest {
    @TempDir
    Path work;

    static Job job(Path work) throws IOException {
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\n");
        Job job = TestJobs.of(TestJobs.conf("berth", work), Mappers.Exits.class, work, "out", 0);
        job.getConfiguration().setInt("mapreduce.map.maxattempts", 2);
        return job;
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "halt", "swallowed", "thread"})
    void taskThatExitsFailsAndTheClientLives(String way) throws Exception {
        Job job = job(work);
        job.getConfiguration().set("way", way);
        assertThat(job.waitForCompletion(false)).isFalse();
        assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.FAILED);
        assertThat(job.getStatus().getFailureInfo())
                .contains("Task attempt_", way.equals("halt") ? " called Runtime.halt(" : " called System.exit(")
                .contains("2 times", Mappers.Exits.class.getName());
        assertThat(work.resolve("out/_temporary")).doesNotExist();
        assertThat(work.resolve("out/part-m-00000")).doesNotExist();
    }

    /** A client in its own JVM, whose last act is to exit with a code of its own. */
    static final class Client {
        private Client() {}

        public static void main(String[] args) throws Exception {
            Job job = job(Path.of(args[0]));
            Configuration conf = job.getConfiguration();
            conf.set("way", args[1]);
            boolean succeeded = job.waitForCompletion(false);
            System.out.println("the client goes on: " + succeeded);
            System.exit(40);
        }
    }

    private Child.Result client(String way, String... options) throws Exception {
        return ChildJvm.of(Client.class, work.toString(), way)
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .with(options)
                .run();
    }

    @Test
    void clientEndsWithTheExitCodeOfItsOwn() throws Exception {
        Child.Result result = client("exit", "-Xcheck:jni", "--add-opens=java.base/java.lang=ALL-UNNAMED");
        assertThat(result.out()).contains("the client goes on: false");
        assertThat(result.err()).contains("called System.exit(3)");
        assertThat(result.exitCode()).isEqualTo(40);
    }

    @Test
    void whereTheGuardIsMissingTheLogNamesTheTaskAndNoOutputStays() throws Exception {
        Child.Result result = client("exit", "-Dorg.berth.native.path=" + work.resolve("none"));
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.out() + result.err())
                .contains("cannot keep tasks from ending this JVM")
                .containsPattern("Task attempt_\\S+_m_000000_0 called System.exit, which ends this JVM");
        assertThat(work.resolve("out/_temporary")).doesNotExist();
    }
}
