package org.berth.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytesTest {
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
    void sizesHaveAtMostFourDigits(long bytes, String text) {
        assertThat(Bytes.text(bytes)).isEqualTo(text);
    }
}
