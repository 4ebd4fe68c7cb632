package org.berth.cli.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
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

    /** What a command prints is cleaned once more, and in pieces of any size; only what Berth itself sends passes. */
    @ParameterizedTest
    @CsvSource({
        "'\u001b]0;title\u0007x', '?]0;title?x'",
        "'\u001b]52;c;eA==\u0007', '?]52;c;eA==?'",
        "'\u009b2J\u202e', '?2J?'",
        "'\u001b[6n\u001b[1;31mred\u001b[0m', '?[6n\u001b[1;31mred\u001b[0m'",
        "'\u001b\u001b[\u001b[5A', '??[\u001b[5A'",
        "'a\rb\r\u001b[3A\u001b[J', 'a?b\r\u001b[3A\u001b[J'",
        "'\u001b[30;48;5;120mcell\u001b[0m', '\u001b[30;48;5;120mcell\u001b[0m'",
        "'a,b\r\n', 'a,b\r\n'",
        "'\u001b[?1049h\u001b[?25l\u001b[Hx\u001b[K', '\u001b[?1049h\u001b[?25l\u001b[Hx\u001b[K'",
        "'\u001b[?2004h\u001b[?1049x\u001b[?6n', '?[?2004h?[?1049x?[?6n'",
        "'line\n\ttab \ud83d\ude80', 'line\n\ttab \ud83d\ude80'",
    })
    void nothingButColoursReachesATerminal(String text, String expected) {
        StringWriter whole = new StringWriter();
        StringWriter pieces = new StringWriter();
        Terminal.of(new PrintWriter(whole), new PrintWriter(pieces), 80, true)
                .out()
                .print(text);
        PrintWriter slow = Terminal.of(new PrintWriter(whole), new PrintWriter(pieces), 80, true)
                .err();
        text.chars().forEach(c -> slow.write(c));
        assertThat(whole).hasToString(expected);
        assertThat(pieces).hasToString(expected);
    }
}
