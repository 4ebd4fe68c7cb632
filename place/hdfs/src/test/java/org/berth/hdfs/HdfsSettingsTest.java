package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HdfsSettingsTest {
    @Test
    void noSettingIsRequired() {
        HdfsSettings settings = HdfsSettings.of(new Configuration(false));

        assertThat(settings.policy()).isEqualTo(DynamicPolicy.INTERRUPT);
        assertThat(settings.load().interval()).hasMillis(100);
        assertThat(settings.diskCpus()).isEmpty();
        assertThat(settings.decisionLog()).isEmpty();
    }

    @Test
    void readsTheCpusOfEachVolume() {
        Configuration given = new Configuration(false);
        given.set(HdfsSettings.DISK_CPUS, " /data/1=0-3; /data/a=b=8,10 ");

        assertThat(HdfsSettings.of(given).diskCpus())
                .containsOnlyKeys("/data/1", "/data/a=b")
                .containsEntry("/data/1", CpuSet.range(0, 3))
                .containsEntry("/data/a=b", CpuSet.of(8, 10));
    }

    @Test
    void goesByTheWayToTheNameNode() {
        Configuration given = new Configuration(false);
        given.set("fs.defaultFS", "hdfs://name.example:8020");

        assertThat(HdfsSettings.of(given).network()).isEqualTo("name.example");
    }

    @Test
    void asksForTheCpuOfEachConnectionUnlessGiven() {
        Configuration given = new Configuration(false);
        assertThat(HdfsSettings.of(given).connections()).isEqualTo(Connections.REMOTE);

        given.set(HdfsSettings.NETWORK_CPUS, "3");
        assertThat(HdfsSettings.of(given).connections()).isEqualTo(Connections.NONE);

        given.set(HdfsSettings.NETWORK_CONNECTIONS, "all");
        assertThat(HdfsSettings.of(given).connections()).isEqualTo(Connections.ALL);
    }

    @Test
    void namesWhatItDoesNotKnow() {
        Configuration given = new Configuration(false);
        given.set(HdfsSettings.POLICY, "node");
        given.set("berth.hdfs.disk.cpu", "/data/1=0");
        given.set("berth.yarn.domain", "numa");

        assertThat(HdfsSettings.unknown(given))
                .containsExactly("the setting berth.hdfs.disk.cpu is unknown and has no effect; did you mean"
                        + " berth.hdfs.disk.cpus?");
    }

    @Test
    void namesTheNewSpellingOfAnOldValue() {
        Configuration given = new Configuration(false);
        given.set(HdfsSettings.POLICY, "paper");

        assertThat(HdfsSettings.of(given).policy()).isEqualTo(DynamicPolicy.INTERRUPT);
        assertThat(HdfsSettings.unknown(given))
                .containsExactly(
                        "berth.hdfs.policy=paper is now interrupt; the old spelling goes with the next release");
    }

    /** The page names settings without the prefix, first in their rows. */
    @Test
    void knowsWhatTheDocumentationNames() throws IOException {
        Configuration documented = new Configuration(false);
        try (Stream<String> lines = Files.lines(Path.of("..", "..", "docs", "engines", "hdfs.md"))) {
            lines.filter(line -> line.startsWith("| `"))
                    .flatMap(line -> Pattern.compile("`([a-z.]+)`")
                            .matcher(line.split("\\|", -1)[1])
                            .results())
                    .forEach(name -> documented.set(HdfsSettings.PREFIX + name.group(1), "x"));
        }
        assertThat(documented.size()).isGreaterThan(10);
        assertThat(HdfsSettings.unknown(documented)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "policy, fastest, NONE",
        "disk.cpus, 0-3, VOLUME=CPUS",
        "disk.cpus, /data/1=x, x",
        "network.cpus, 3-1, 3-1",
        "network.connections, some, remote",
        "load.interval.ms, 1, 10 ms",
        "load.idle, 2, shares",
        "scan.interval.ms, 0, at least 1 ms",
        "scan.interval.ms, soon, give milliseconds"
    })
    void saysWhatIsWrong(String key, String value, String told) {
        Configuration given = new Configuration(false);
        given.set(HdfsSettings.PREFIX + key, value);

        assertThatThrownBy(() -> HdfsSettings.of(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(HdfsSettings.PREFIX)
                .message()
                .containsIgnoringCase(told)
                .doesNotContain("\n");
    }
}
