package org.berth.cli.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a terminal can show, as its environment tells. */
class TerminalTest {
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
