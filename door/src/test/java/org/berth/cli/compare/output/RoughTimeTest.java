package org.berth.cli.compare.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times of progress; a rounding must not spoil an estimate that is right by a fifth. */
final class RoughTimeTest {
    @ParameterizedTest
    @CsvSource({
        "0.04,0.0 s",
        "0.44,0.4 s",
        "9.4,9.4 s",
        "59.4,59 s",
        "119,119 s",
        "124,2 min",
        "131,2 min 10 s",
        "599,10 min",
        "3560,59 min",
        "7500,2 h 5 min"
    })
    void timesAreRoundedByLessThanATenth(double seconds, String words) {
        assertThat(RoughTime.of(Duration.ofMillis(Math.round(1000 * seconds)))).isEqualTo(words);
    }
}
