package org.berth.numavm.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.numavm.Guest;
import org.berth.numavm.engines.LocalSpark;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Spark application of two executors whose shuffle goes over verbs, and the same over Spark's own connections. */
@Tag(Guest.TAG)
@Tag("rdma-spark")
class RdmaShuffleTest {
    /** All records together; half of them are of the other executor. */
    private static final long BYTES = 10_000_000;

    private static final String RESULT = "berth-job-result=";

    /** The jobs' own file leaves out what Berth says, which is information and no warning. */
    private static final String LOGGING = """
            rootLogger.level = warn
            rootLogger.appenderRef.stderr.ref = stderr
            appender.stderr.type = Console
            appender.stderr.name = stderr
            appender.stderr.target = SYSTEM_ERR
            appender.stderr.layout.type = PatternLayout
            appender.stderr.layout.pattern = %p %c{1}: %m%n
            logger.berth.name = org.berth
            logger.berth.level = info
            """;

    @BeforeAll
    static void makeTheDevice() throws Exception {
        SoftRdma.start();
    }

    @Test
    void blocksOfTwoExecutorsGoOverVerbsAndGiveTheResultOfSparksOwnShuffle() throws Exception {
        long before = SoftRdma.sentPackets();
        Path home = Path.of("/tmp/spark-rdma");
        String result = result(
                home,
                List.of(
                        "-Dspark.shuffle.manager=org.berth.shuffle.BerthShuffleManager",
                        "-Dspark.berth.shuffle.providers=ucx",
                        "-Dspark.berth.shuffle.ucx=" + SoftRdma.UCX,
                        "-Dspark.berth.shuffle.connectTimeout=60s",
                        "-Dspark.berth.shuffle.wait=event"));
        long packets = SoftRdma.sentPackets() - before;
        if (!logs(home).contains("come over ucx")) {
            LocalSpark.printLogs(home);
            assertThat(false)
                    .as("no executor says that blocks come over ucx, and " + packets + " packets over rxe0")
                    .isTrue();
        }
        assertThat(packets > BYTES / 2 / 4096)
                .as("only " + packets + " packets over rxe0")
                .isTrue();
        before = SoftRdma.sentPackets();
        String own = result(Path.of("/tmp/spark-tcp"), List.of());
        assertThat(SoftRdma.sentPackets() - before).as("packets").isEqualTo(0L);
        assertThat(result).as("the result").isEqualTo(own);
    }

    private static String result(Path home, List<String> settings) throws IOException, InterruptedException {
        Path logging = Files.writeString(Path.of("/tmp/log4j2.properties"), LOGGING);
        Stream<String> all = Stream.concat(
                settings.stream(),
                Stream.of(
                        "-Dspark.master=local-cluster[2,2,512]",
                        "-Dspark.driver.host=" + SoftRdma.ADDRESS,
                        "-Dspark.driver.bindAddress=" + SoftRdma.ADDRESS,
                        "-Dspark.shuffle.readHostLocalDisk=false",
                        "-Dspark.executor.extraJavaOptions=" + LocalSpark.LEAN + " -Dlog4j2.configurationFile="
                                + logging));
        ProcessBuilder application = LocalSpark.application(home, all.toList(), SoftRdma.ADDRESS);
        application.environment().put(SoftRdma.ADDRESS_VARIABLE, SoftRdma.IPV6);
        Process driver =
                application.redirectError(home.resolve("stderr").toFile()).start();
        String output = new String(driver.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (driver.waitFor() != 0) {
            LocalSpark.printLogs(home);
        }
        return output.lines()
                .filter(line -> line.startsWith(RESULT))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no result in " + output));
    }

    private static String logs(Path home) throws IOException {
        StringBuilder logs = new StringBuilder();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(path -> path.endsWith("stderr")).toList()) {
                logs.append(Files.readString(file));
            }
        }
        return logs.toString();
    }
}
