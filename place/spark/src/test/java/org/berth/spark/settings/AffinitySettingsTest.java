package org.berth.spark.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.apache.spark.SparkConf;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AffinitySettingsTest {
    private static final String COMMAND = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
            + " --driver-url spark://CoarseGrainedScheduler@h:1 --executor-id 0 --hostname h --cores 12 --app-id app-1";

    private static SparkConf conf(String master) {
        return new SparkConf(false).set("spark.master", master);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "local | true | 1",
                "local[3] | true | 3",
                "local[*] | true | 0",
                "local[ 4 , 2 ] | true | 4",
                "local[*,3] | true | 0",
                "local-cluster[2,1,1024] | false | 12",
                "spark://h:7077 | false | 12",
                "yarn | false | 12",
                "k8s://https://h | false | 12"
            })
    void executorsSizeIsInTheMasterOrOnTheCommandLine(String master, boolean local, int cpus) {
        AffinitySettings settings = AffinitySettings.of(conf(master), COMMAND);
        assertThat(settings.local()).isEqualTo(local);
        assertThat(settings.executorCpus()).isEqualTo(cpus);
    }

    @Test
    void withoutACommandLineTheConfigurationTells() {
        assertThat(AffinitySettings.of(conf("yarn").set("spark.executor.cores", "5"), "")
                        .executorCpus())
                .isEqualTo(5);
        assertThat(AffinitySettings.of(conf("yarn"), "").executorCpus()).isZero();
    }

    /** Spark 4.3 takes decimals of nine places. */
    @ParameterizedTest
    @CsvSource({
        "1, 1000000000",
        "3, 3000000000",
        "0.5, 500000000",
        "1.5, 1500000000",
        "1e-9, 1",
        "0.333333333, 333333333"
    })
    void cpusOfATaskAreADecimal(String cpus, long billionths) {
        assertThat(AffinitySettings.of(conf("yarn").set("spark.task.cpus", cpus), "")
                        .taskCpus())
                .isEqualTo(billionths);
    }

    @ParameterizedTest
    @ValueSource(strings = {"half", "0", "-1", "1e-10", "1e99"})
    void cpusOfATaskAreANumber(String cpus) {
        assertThatThrownBy(() -> AffinitySettings.of(conf("yarn").set("spark.task.cpus", cpus), ""))
                .hasMessage("spark.task.cpus=" + cpus + " is not a number of CPUs; give one such as 2 or 0.5");
    }

    @Test
    void levelsAreThoseOfThePlansAndAuto() {
        assertThat(AffinitySettings.of(conf("local"), "").level()).isEmpty();
        assertThat(AffinitySettings.of(conf("local").set("spark.berth.level", "auto"), "")
                        .level())
                .isEmpty();
        assertThat(AffinitySettings.of(conf("local").set("spark.berth.level", "core"), "")
                        .level())
                .isEqualTo(Optional.of(OrderedLevel.of(AffinityLevel.CORE)));
        assertThatThrownBy(() -> AffinitySettings.of(conf("local").set("spark.berth.level", "socket"), ""))
                .hasMessage("spark.berth.level=socket is not one of auto, none, numa, package, l3, core, pu");
    }
}
