package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.berth.spark.settings.AffinitySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmUpTest {
    @ParameterizedTest
    @CsvSource({
        "auto, true, 2, true",
        "auto, true, 8, true",
        "auto, true, 1, false",
        "auto, true, 9, false",
        "auto, true, 0, false", // chosen by the user
        "auto, false, 2, false",
        "true, true, 64, true",
        "true, true, 0, true",
        "false, true, 2, false"
    })
    void waitsForCompilersThatAreMuchOfTheExecutor(String asked, boolean tight, int cpus, boolean waits) {
        SparkConf conf = new SparkConf(false).set(AffinitySettings.WARM_UP, asked);
        WarmUp warmUp = WarmUp.of(conf, tight, cpus);
        assertThat(warmUp.over()).isEqualTo(!waits);
        assertThat(warmUp.note()).isEmpty();
    }

    @Test
    void tellsHowManyTasksRanUnboundMeanwhile() {
        WarmUp warmUp = WarmUp.of(new SparkConf(false), true, 2);
        assertThat(warmUp.unbound()).isEmpty();
        warmUp.taskStarts();
        warmUp.taskStarts();
        warmUp.taskEnds();
        assertThat(warmUp.unbound())
                .isEqualTo(", 2 more started before the compilers were quiet and ran unbound (spark.berth.warmup=false"
                        + " binds them)");
    }

    @Test
    void warmUpIsAutoByDefault() {
        assertThat(WarmUp.of(new SparkConf(false), true, 4).over()).isFalse();
        assertThat(WarmUp.of(new SparkConf(false), true, 16).over()).isTrue();
    }

    @Test
    void saysThatLargerSlotsHaveNoUseForIt() {
        SparkConf conf = new SparkConf(false).set(AffinitySettings.WARM_UP, "true");
        assertThat(WarmUp.of(conf, false, 2).note())
                .startsWith("spark.berth.warmup=true does nothing: only the levels");
    }
}
