package org.berth.mapreduce.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.spark.deploy.worker.Worker;
import org.berth.hadoopjobs.TestJobs;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A standalone Master, two Workers and their executors as processes: Spark's shuffle, and its second copy of a slow task. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(600)
class StandaloneTest {
    @TempDir
    Path work;

    @Test
    void shuffleHasTheSameOutputAndSlowTasksAreCopied() throws Exception {
        TestJobs.text(work.resolve("in"), 2, 1500, 9);
        Files.createDirectories(work.resolve("few"));
        Files.writeString(work.resolve("few/a"), "one\ntwo\n");
        Files.writeString(work.resolve("few/b"), "three\nfour\n");
        Configuration local = TestJobs.conf("local", work);
        assertThat(ToolRunner.run(local, new org.apache.hadoop.examples.Sort<>(), ClusterProgram.sort(work, "sorted")))
                .isZero();
        assertThat(TestJobs.wordCount(local, work.resolve("in"), work.resolve("counted"), 2)
                        .waitForCompletion(false))
                .isTrue();
        try (Child master = SparkJvm.of(MasterProgram.class, work).start()) {
            String url = "spark://localhost:" + master.readUntil("port ").substring(5);
            // Spark starts the second copy of a slow task on another host only.
            try (Child first = worker("localhost", url);
                    Child second = worker("127.0.0.1", url);
                    Child client = SparkJvm.client(work, url)
                            .with("-Dspark.speculation=true", "-Dspark.speculation.interval=100ms")
                            .with("-Dspark.speculation.multiplier=1.1", "-Dspark.speculation.quantile=0.5")
                            .start()) {
                client.send("sort");
                assertThat(client.readUntil("sort ")).isEqualTo("sort 0");
                assertThat(TestJobs.output(work.resolve("sort"))).isEqualTo(TestJobs.output(work.resolve("sorted")));

                assertThat(client.ask("small")).startsWith("small true");
                assertThat(TestJobs.output(work.resolve("small"))).isEqualTo(TestJobs.output(work.resolve("counted")));

                assertThat(client.ask("slow")).startsWith("slow true 4 0 ");
                assertThat(TestJobs.output(work.resolve("slow")).values().stream()
                                .flatMap(String::lines)
                                .sorted())
                        .containsExactly("0\tone", "0\tthree", "4\ttwo", "6\tfour");
                assertThat(work.resolve("slow/_temporary")).doesNotExist();
                assertThat(client.finish().output()).contains("end");
                assertThat(first.isAlive() && second.isAlive()).isTrue();
            }
        }
    }

    private Child worker(String host, String master) throws IOException {
        String folder = work.resolve("home/work-" + host).toString();
        return SparkJvm.of(
                        Worker.class,
                        work,
                        "-h",
                        host,
                        "-c",
                        "1",
                        "-m",
                        "1g",
                        "-d",
                        folder,
                        "--webui-port",
                        "0",
                        master)
                .start();
    }
}
