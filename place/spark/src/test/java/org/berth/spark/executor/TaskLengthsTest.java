package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.SparkConf;
import org.berth.spark.settings.AffinitySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskLengthsTest {
    /** Longer than any task of this test, and shorter than each of them. */
    private static final String HOUR = "1000000";

    private static final String NANOSECOND = "0.000001";

    @ParameterizedTest
    @CsvSource({
        HOUR + ", true, false, 1000, true",
        HOUR + ", true, false, 10, false", // a second with few tasks
        HOUR + ", false, false, 1000, false", // slots of a node or a package
        HOUR + ", true, true, 1000, false", // slots of a plan
        NANOSECOND + ", true, false, 1000, false",
        "0, true, false, 1000, false"
    })
    void manyShortTasksAreNotBound(String minMillis, boolean tight, boolean chosen, int tasks, boolean unbound) {
        TaskLengths lengths = TaskLengths.of(conf(minMillis), tight, chosen);
        run(lengths, tasks);
        assertThat(lengths.starts()).isFalse();
        lengths.ends();
        assertThat(lengths.sample().isPresent()).isEqualTo(unbound);
        assertThat(lengths.note().isPresent()).isEqualTo(unbound);
        assertThat(lengths.starts()).isEqualTo(unbound);
        assertThat(lengths.unbound()).isEqualTo(unbound ? ", 1 more were too short to be bound" : "");
    }

    @Test
    void tasksAreBoundAgainWhenTheStreamEndsAndItIsToldOnce() {
        TaskLengths lengths = TaskLengths.of(conf(HOUR), true, false);
        run(lengths, 1000);
        assertThat(lengths.sample()).hasValueSatisfying(line -> assertThat(line).contains("minTaskMillis=0 binds"));
        assertThat(lengths.sample()).isEmpty();
        assertThat(lengths.starts()).isFalse();
        lengths.ends();
        run(lengths, 1000);
        assertThat(lengths.sample()).isEmpty();
        assertThat(lengths.starts()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "NaN", "1e7", "two"})
    void refusesWhatIsNoLength(String value) {
        SparkConf conf = conf(value);
        assertThatThrownBy(() -> TaskLengths.of(conf, true, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("spark.berth.minTaskMillis=" + value + " is not a number");
    }

    private static void run(TaskLengths lengths, int tasks) {
        for (int i = 0; i < tasks; i++) {
            lengths.starts();
            lengths.ends();
        }
    }

    private static SparkConf conf(String minMillis) {
        return new SparkConf(false).set(AffinitySettings.MIN_TASK_MILLIS, minMillis);
    }
}
