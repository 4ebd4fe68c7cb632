package org.berth.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real applications of two executors, whose results are compared with those of plain Java. */
@Tag("cluster")
@Timeout(600)
class ClusterTest {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    Path folder;

    @BeforeEach
    void needHadoopOnThisJdk() {
        String version = org.apache.spark.package$.MODULE$.SPARK_VERSION();
        assumeTrue(
                Runtime.version().feature() < 24 || !version.startsWith("4.0."),
                "the Hadoop client of Spark " + version + " does not run on JDK 24 and later");
    }

    @Test
    void blocksComeOverTheTransportUntilExecutorsDieOrCloseTheirPort() throws Exception {
        Map<String, String> settings =
                Map.of("spark.berth.shuffle.chunk", "128k", "spark.reducer.maxSizeInFlight", "1m");
        try (ShuffleCluster cluster = new ShuffleCluster(folder, CLASS_PATH, settings)) {
            assertThat(cluster.run("sort")).isEqualTo(ShuffleResults.sorted());
            assertThat(cluster.run("group")).isEqualTo(ShuffleResults.grouped());
            assertThat(cluster.run("big")).isEqualTo(ShuffleResults.big());
            assertThat(cluster.run("empty")).isEqualTo("[(0,273), (1,247), (2,260)]");
            allRemoteBlocksCameOverTheTransport(cluster, cluster.numbers("counts of four jobs"));

            killedExecutor(cluster);
            assertThat(cluster.run("sort after that")).isEqualTo(ShuffleResults.sorted());
            Map<String, Long> after = cluster.numbers("counts after that");
            assertThat(after).containsEntry("leasedBuffers", 0L).containsEntry("heldBytes", 0L);
            long overSpark = after.getOrDefault("sparkBlocks", 0L);
            assertThat(overSpark).isPositive();

            cluster.run("close");
            assertThat(cluster.run("group without one port")).isEqualTo(ShuffleResults.grouped());
            // The counts of the executor that has closed its transport are still there.
            assertThat(cluster.numbers("counts without one port").get("sparkBlocks"))
                    .isGreaterThan(overSpark);
            cluster.end();
            assertThat(cluster.driverLines())
                    .anyMatch(line ->
                            line.contains("Berth: executors fetch shuffle blocks over the transport (local, tcp;"));
            assertThat(cluster.executorLines())
                    .anyMatch(line -> line.matches(".*Berth: executor \\d+ serves shuffle blocks at localhost:\\d+ .*"))
                    .anyMatch(line -> line.matches(".*Berth: shuffle blocks of executor \\d+ at \\S+ come over local"))
                    .anyMatch(line -> line.matches(".*Berth: executor \\d+ has fetched \\d+ blocks of \\d+ bytes .*"))
                    .anyMatch(line -> line.matches(".*Berth: executor \\d+ cannot be reached over the transport: .*"));
        }
    }

    /** Compares with Spark's own count of what its tasks have read. */
    static void allRemoteBlocksCameOverTheTransport(ShuffleCluster cluster, Map<String, Long> counts) throws Exception {
        Map<String, Long> metrics = cluster.numbers("metrics");
        assertThat(metrics.get("remoteBlocks")).isPositive();
        assertThat(metrics.get("remoteBytes"))
                .isGreaterThan(ShuffleProgram.BIG_BYTES * (long) ShuffleProgram.BIG_MAPS / 2);
        assertThat(counts)
                .containsEntry("receivedBlocks", metrics.get("remoteBlocks"))
                .containsEntry("receivedBytes", metrics.get("remoteBytes"))
                .containsEntry("servedBlocks", metrics.get("remoteBlocks"))
                .containsEntry("sparkBlocks", 0L)
                .containsEntry("leasedBuffers", 0L)
                .containsEntry("heldBytes", 0L);
    }

    /** Kills an executor after the reducer of the other one has begun to fetch from it. */
    private void killedExecutor(ShuffleCluster cluster) throws Exception {
        cluster.say("gated");
        Map<Integer, Long> reducers = new TreeMap<>();
        Await.until("both reducers", () -> {
            try (Stream<Path> files = Files.list(folder)) {
                files.map(file -> file.getFileName().toString().split("-", -1))
                        .filter(parts -> parts.length == 3 && parts[0].equals("at"))
                        .forEach(parts -> reducers.put(Integer.valueOf(parts[1]), Long.valueOf(parts[2])));
            }
            return reducers.size() == 2;
        });
        long killed = reducers.getOrDefault(0, 0L);
        // It answers no more, and then it is gone: the other one mostly waits for blocks by then.
        Tool.output("kill", "-STOP", Long.toString(killed));
        Files.createFile(folder.resolve("gate"));
        Thread.sleep(1000);
        Tool.output("kill", "-KILL", Long.toString(killed));
        assertThat(cluster.result("gated")).isEqualTo(ShuffleResults.big());
    }

    @Test
    @Tag("one-jdk")
    void encryptedBlocksGoToFilesWithTheJarsThatSparkSends() throws Exception {
        List<String> jars = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String entry : CLASS_PATH.split(File.pathSeparator, -1)) {
            if (entry.matches(".*/(spark-shuffle|transport)/target/classes/?")) {
                jars.add(jar(Path.of(entry), jars.size()).toString());
            } else if (entry.matches(".*/berth-(spark-shuffle|transport)-[^/]*[.]jar")) {
                jars.add(entry);
            } else {
                others.add(entry);
            }
        }
        assertThat(jars).hasSize(2);
        Map<String, String> settings = Map.of(
                "spark.jars", String.join(",", jars),
                "spark.berth.shuffle.providers", "tcp",
                "spark.io.encryption.enabled", "true",
                "spark.network.maxRemoteBlockSizeFetchToMem", "100k");
        String classPath = String.join(File.pathSeparator, others);
        try (ShuffleCluster cluster = new ShuffleCluster(folder, classPath, settings)) {
            assertThat(cluster.run("sort")).isEqualTo(ShuffleResults.sorted());
            assertThat(cluster.run("big")).isEqualTo(ShuffleResults.big());
            allRemoteBlocksCameOverTheTransport(cluster, cluster.numbers("counts"));
            assertThat(cluster.numbers("metrics of files").get("diskBytes"))
                    .isGreaterThan(ShuffleProgram.BIG_BYTES * (long) ShuffleProgram.BIG_MAPS / 2);
            cluster.end();
            assertThat(cluster.executorLines())
                    .anyMatch(line -> line.matches(".*Berth: shuffle blocks of executor \\d+ at \\S+ come over tcp"))
                    .noneMatch(line -> line.startsWith("WARN") && line.contains("Berth"));
        }
    }

    private Path jar(Path classes, int number) throws IOException {
        Path jar = folder.resolve("berth-" + number + ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream to = new JarOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            files.filter(Files::isRegularFile).forEach(one -> {
                try {
                    to.putNextEntry(new JarEntry(classes.relativize(one).toString()));
                    Files.copy(one, to);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return jar;
    }

    @Test
    @Tag("one-jdk")
    void authenticatedApplicationKeepsSparksWay() throws Exception {
        Map<String, String> settings =
                Map.of("spark.authenticate", "true", "spark.authenticate.secret", "of these two executors");
        try (ShuffleCluster cluster = new ShuffleCluster(folder, CLASS_PATH, settings)) {
            assertThat(cluster.run("sort")).isEqualTo(ShuffleResults.sorted());
            assertThat(cluster.numbers("counts")).isEmpty();
            assertThat(cluster.numbers("metrics").get("remoteBlocks")).isPositive();
            cluster.end();
            assertThat(cluster.driverLines())
                    .contains("WARN BerthShuffleManager: Berth: spark.authenticate is on, and the transport does not"
                            + " authenticate; shuffle blocks take Spark's own way");
        }
    }
}
