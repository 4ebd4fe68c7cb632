package org.berth.rpcdaemons;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.examples.QuasiMonteCarlo;
import org.apache.hadoop.util.ToolRunner;
import org.berth.cluster.YarnCluster;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ResourceManager, a NodeManager and an unmodified MapReduce job, with the transport for all protocols of protobuf between
 * them. Tasks of MapReduce call by Writables, over Hadoop's own connections.
 */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(300)
class YarnTest {
    private static final List<String> PROTOBUF = List.of(
            "org.apache.hadoop.yarn.api.ApplicationClientProtocolPB",
            "org.apache.hadoop.yarn.api.ApplicationMasterProtocolPB",
            "org.apache.hadoop.yarn.api.ContainerManagementProtocolPB",
            "org.apache.hadoop.yarn.server.api.ResourceTrackerPB",
            "org.apache.hadoop.yarn.server.nodemanager.api.LocalizationProtocolPB",
            "org.apache.hadoop.mapreduce.v2.api.MRClientProtocolPB");

    private static final Pattern WAY =
            Pattern.compile("RPC of (?:\\w+\\.)*(\\w+) to .* goes over (the transport \\(\\w+\\)|Hadoop's own.*)");

    /** While the first call of a process connects, those of other threads take Hadoop's own connection. */
    private static final int FIRST_CALLS = 3;

    @TempDir
    private Path folder;

    private Map<String, String> settings(String jvm) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "mapreduce.framework.name", "yarn",
                "yarn.app.mapreduce.am.staging-dir", folder.resolve("staging").toString(),
                "yarn.app.mapreduce.am.resource.mb", "256",
                "yarn.app.mapreduce.am.command-opts", jvm,
                "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100",
                "mapreduce.task.io.sort.mb", "8",
                "mapreduce.client.progressmonitor.pollinterval", "100"));
        for (String path : List.of("mapreduce.application.classpath", "yarn.application.classpath")) {
            settings.put(path, System.getProperty("java.class.path"));
        }
        for (String task : List.of("map", "reduce")) {
            settings.put("mapreduce." + task + ".memory.mb", "256");
            settings.put("mapreduce." + task + ".java.opts", jvm);
        }
        PROTOBUF.forEach(protocol -> settings.put("rpc.engine." + protocol, "org.berth.rpc.FastProtobufRpcEngine"));
        return settings;
    }

    @Test
    void jobTakesTheTransportForAllItsCallsOfProtobuf() throws Exception {
        Path counts = Files.createDirectory(folder.resolve("counts"));
        String jvm = "-Xmx192m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -D" + CountsSink.FOLDER + "=" + counts;
        try (YarnCluster cluster = YarnCluster.start(
                Files.createDirectory(folder.resolve("cluster")),
                List.of(jvm.split(" ", -1)),
                settings(jvm),
                Map.of("yarn.nodemanager.aux-services", "mapreduce_shuffle", "mapreduce.shuffle.port", "0"))) {
            assertThat(ToolRunner.run(cluster.client(), new QuasiMonteCarlo(), new String[] {"2", "100"}))
                    .isZero();
            Await.untilAsserted("the counts of the ResourceManager, the NodeManager and the job", () -> {
                requireCalls(counts, "SubmitApplication", "Allocate", "NodeHeartbeat", "GetApplicationReport");
                requireCalls(counts, "StartContainers", "Heartbeat");
                requireCalls(counts, "GetJobReport");
            });
            assertThat(ways())
                    .containsExactlyInAnyOrderElementsOf(
                            // The job's client is this JVM; its calls are those of the counts.
                            List.of(
                                    "ApplicationMasterProtocolPB the transport (local)",
                                    "ContainerManagementProtocolPB the transport (local)",
                                    "LocalizationProtocolPB the transport (local)",
                                    "ResourceTrackerPB the transport (local)"));
        }
    }

    /** One process has served these methods, and nearly all of its calls came over the transport. */
    private static void requireCalls(Path counts, String... methods) throws IOException {
        assertThat(Counts.read(counts)).anySatisfy(process -> {
            for (String method : methods) {
                assertThat(process.calls(method)).as(method).isPositive();
            }
            long all = process.methods().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(all).isGreaterThan(2 * FIRST_CALLS);
            // A process that is sampled while it works has its two counts of different moments.
            assertThat(process.stock())
                    .as("calls of Hadoop's own connections, of %d", all)
                    .isLessThanOrEqualTo(FIRST_CALLS + all / 10);
        });
    }

    /** What the logs of the daemons and of the containers say. */
    private Set<String> ways() throws IOException {
        Set<String> ways = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder.resolve("cluster"))) {
            for (Path log : files.filter(file -> file.toString().matches(".*(/syslog|\\.log)"))
                    .toList()) {
                WAY.matcher(Files.readString(log, StandardCharsets.UTF_8))
                        .results()
                        .forEach(way -> ways.add(way.group(1) + " " + way.group(2)));
            }
        }
        return ways;
    }
}
