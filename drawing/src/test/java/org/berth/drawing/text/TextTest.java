package org.berth.drawing.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.machine.PictureLayout;
import org.junit.jupiter.api.Test;
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

    @Test
    void wrapsLabelsBetweenTheirParts() {
        assertThat(PictureLayout.wrap("eth0 · network · PCI 02:00.0", 18))
                .containsExactly("eth0 · network", "  PCI 02:00.0");
        assertThat(PictureLayout.wrap("unbreakable", 6)).isEqualTo(List.of("unbre…"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', en_US.UTF-8, true",
        "'', '', C, false",
        "C, '', en_US.UTF-8, false",
        "'', de_DE.utf8, C, true",
        "POSIX, en_US.UTF-8, en_US.UTF-8, false",
        "'', '', '', false",
    })
    void theLocaleDecidesOnUtf8(String all, String type, String lang, boolean utf8) {
        Map<String, String> environment = Map.of("LC_ALL", all, "LC_CTYPE", type, "LANG", lang);
        assertThat(Terminal.isUtf8(environment)).isEqualTo(utf8);
    }

    @Test
    void noColorForbidsColour() {
        assertThat(Terminal.wantsColour(Map.of("TERM", "xterm"))).isTrue();
        assertThat(Terminal.wantsColour(Map.of("NO_COLOR", ""))).isTrue();
        assertThat(Terminal.wantsColour(Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(Terminal.wantsColour(Map.of("TERM", "dumb"))).isFalse();
    }
}
