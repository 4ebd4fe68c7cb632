package org.berth.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.berth.shuffle.shared.ShuffleSettings;
import org.berth.transport.progress.WaitMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;

/** What the settings of an application mean. */
class SettingsTest {
    private static SparkConf conf(String... pairs) {
        SparkConf conf = new SparkConf(false);
        for (int i = 0; i < pairs.length; i += 2) {
            conf.set(pairs[i], pairs[i + 1]);
        }
        return conf;
    }

    @Test
    void keysOfTheTransportAreWrittenInSparksWay() {
        ShuffleSettings settings = ShuffleSettings.read(conf(
                "spark.berth.shuffle.chunk", "1m",
                "spark.berth.shuffle.receivePool", "16m",
                "spark.berth.shuffle.sendPool", "8m",
                "spark.berth.shuffle.wait", "spin",
                "spark.berth.shuffle.port", "7077",
                "spark.network.timeout", "33s"));
        assertThat(settings.receivePoolBytes()).isEqualTo(16 << 20);
        assertThat(settings.transport().waitMode()).isEqualTo(WaitMode.SPIN);
        assertThat(settings.port()).isEqualTo(7077);
        assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(33));
        // A whole message takes a buffer of the chunk's size, and no larger one.
        assertThat(ShuffleSettings.pooledBytes(settings.messageBytes())).isEqualTo(1 << 20);
        assertThat(settings.transport().largestMessageBytes()).isGreaterThanOrEqualTo(settings.messageBytes());
    }

    @ParameterizedTest
    @CsvSource({"chunk, 3q", "providers, carrier-pigeon", "threads, 0", "receivePool, 1k", "wait, long"})
    void wrongValueIsNamed(String key, String value) {
        assertThatThrownBy(() -> ShuffleSettings.read(conf("spark.berth.shuffle." + key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("spark.berth.shuffle.*: ")
                .hasMessageContaining(value);
    }

    @Test
    void unknownKeysAreListed() {
        SparkConf conf = conf(
                "spark.berth.shuffle.max-message", "1m",
                "spark.berth.shuffle.maxMessage", "1m",
                "spark.berth.shuffle.chunks", "1m",
                "spark.berth.shuffle.timeout", "1s");
        assertThat(ShuffleSettings.unknown(conf))
                .containsExactly("spark.berth.shuffle.chunks", "spark.berth.shuffle.max-message");
    }

    @ParameterizedTest
    @CsvSource({
        "spark.authenticate, spark.authenticate is on",
        "spark.network.crypto.enabled, spark.network.crypto.enabled is on",
        "spark.shuffle.service.enabled, spark.shuffle.service.enabled is on",
    })
    void someApplicationsKeepSparksWay(String key, String reason) {
        assertThat(reason(conf(key, "true"))).startsWith(reason).endsWith("shuffle blocks take Spark's own way");
        assertThat(reason(conf(key, "false"))).isNull();
    }

    @Test
    void encryptedFilesDoNotMatter() {
        assertThat(reason(conf("spark.io.encryption.enabled", "true"))).isNull();
    }

    private static @Nullable String reason(SparkConf conf) {
        return SparkPath.reason(
                conf, new SecurityManager(conf, Option.empty(), SecurityManager.$lessinit$greater$default$3()));
    }
}
