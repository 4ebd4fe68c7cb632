package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobOptionsTest {
    @Test
    void shouldTakeValuesInBothForms() {
        assertThat(TpchOptions.parse(words("--scale=0.50 --queries 6,1 --data d --rounds=2 --answers --threads 3")))
                .isEqualTo(new TpchOptions(Path.of("d"), new BigDecimal("0.5"), List.of(6, 1), 2, true, 3));
        assertThat(ShuffleOptions.parse(words("--scale 2 --threads=3 --seed -4")))
                .isEqualTo(new ShuffleOptions(200_000, 12, 3, -4, 3));
        assertThat(MemoryOptions.parse(words("--unbound --scale 3"), 64, 7))
                .isEqualTo(new MemoryOptions(3 << 20, 7, Optional.empty(), 1, true, false, Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--scale 0.0001    | --scale needs a number from 0.001 to 100, not '0.0001'",
                "--scale 1000      | --scale needs a number from 0.001 to 100, not '1000'",
                "--scale one       | --scale needs a number from 0.001 to 100, not 'one'",
                "--queries 1,1     | --queries needs different numbers from 1 to 22 with commas, not '1,1'",
                "--queries 0       | --queries needs different numbers from 1 to 22 with commas, not '0'",
                "--queries=        | --queries needs different numbers from 1 to 22 with commas, not ''",
                "--queries q1      | --queries needs different numbers from 1 to 22 with commas, not 'q1'",
                "--data            | --data needs a value",
                "--threads 0       | --threads needs a whole number of at least 1, not '0'",
                "--answers --fast  | unknown option '--fast'"
            })
    void shouldSayWhatIsWrongInOneLine(String commandLine, String message) {
        assertThatThrownBy(() -> TpchOptions.parse(words(commandLine)))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage(message + " (--help lists the options)");
    }

    private static List<String> words(String commandLine) {
        return List.of(commandLine.split(" ", -1));
    }
}
