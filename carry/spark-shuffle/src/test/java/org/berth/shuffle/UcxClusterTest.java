package org.berth.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.berth.transport.ProviderStatus;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same over UCX, which depends neither on Spark's version nor on the JDK's. */
@Tag("cluster")
@Tag("release")
@Tag("one-jdk")
@Timeout(600)
class UcxClusterTest {
    @TempDir
    Path folder;

    @Test
    void blocksComeOverUcx() throws Exception {
        ProviderStatus.ofHost().stream()
                .filter(provider -> provider.name().equals("ucx") && !provider.works())
                .forEach(provider -> Assumptions.abort(provider.detail()));
        try (ShuffleCluster cluster = new ShuffleCluster(
                folder, System.getProperty("java.class.path"), Map.of("spark.berth.shuffle.providers", "ucx"))) {
            assertThat(cluster.run("sort")).isEqualTo(ShuffleResults.sorted());
            assertThat(cluster.run("big")).isEqualTo(ShuffleResults.big());
            ClusterTest.allRemoteBlocksCameOverTheTransport(cluster, cluster.numbers("counts"));
            cluster.end();
            assertThat(cluster.executorLines())
                    .anyMatch(line -> line.matches(".*Berth: shuffle blocks of executor \\d+ at \\S+ come over ucx"))
                    .noneMatch(line -> line.startsWith("WARN") && line.contains("Berth"));
        }
    }
}
