package org.berth.drawing.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small functions on text that all pictures share. */
class TextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1 KiB",
        "1310720, 1.25 MiB",
        "28835840, 27.5 MiB",
        "4926210048, 4.59 GiB",
        "68719476736, 64 GiB",
        "1073741823, 1 GiB",
        "1125899906842624, 1 PiB",
        "9223372036854775807, 8192 PiB",
    })
    void sizes(long bytes, String text) {
        assertThat(Labels.bytes(bytes)).isEqualTo(text);
    }

    @Test
    void processorNamesWithoutNoise() {
        assertThat(Labels.processor(Map.of("CPUModel", "Intel(R) Xeon(R) CPU           E5345  @ 2.33GHz")))
                .contains("Intel Xeon E5345 @ 2.33GHz");
        assertThat(Labels.processor(Map.of())).isEmpty();
    }

    @Test
    void wrapsAtBlanksThenCommasThenAnywhere() {
        assertThat(WordWrap.wrap("one two three", 8)).containsExactly("one two", "three");
        assertThat(WordWrap.wrap("a 0,2,4,6,8,10", 6)).containsExactly("a", "0,2,4,", "6,8,10");
        assertThat(WordWrap.wrap("abcdefgh", 3)).containsExactly("abc", "def", "gh");
        assertThat(WordWrap.wrap("", 3)).containsExactly("");
    }

    /** As of a JVM that gives its threads endless names: copying the rest for each line took minutes. */
    @Test
    @Timeout(60)
    void aLongTextTakesTimeInProportionToItsLength() {
        assertThat(WordWrap.wrap("B".repeat(30_000_000), 100)).hasSize(300_000);
    }
}
