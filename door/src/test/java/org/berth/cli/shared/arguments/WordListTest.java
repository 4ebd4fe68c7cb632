package org.berth.cli.shared.arguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.berth.cli.shared.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordListTest {
    private static final List<String> KNOWN = List.of("red", "green");

    private static List<String> colors(String text) {
        return WordList.parse("--colors", text, KNOWN, Function.identity());
    }

    @Test
    void wordsKeepTheirOrderAndLoseTheirBlanks() {
        assertThat(colors(" green,red ")).containsExactly("green", "red");
        assertThat(colors("red")).containsExactly("red");
    }

    @Test
    void aSeparatorMayKeepCommasInsideOfWords() {
        assertThat(WordList.parse("--memory", "local,bind:0,1", ",(?!\\d)", Function.identity()))
                .containsExactly("local", "bind:0,1");
    }

    /** Two spellings of one value are one value. */
    @Test
    void aValueThatIsGivenTwiceIsRefused() {
        assertThatThrownBy(() -> WordList.parse("--colors", "red,RED", word -> word.toLowerCase(Locale.ROOT)))
                .isInstanceOf(CommandException.class)
                .hasMessage("--colors red,RED: 'RED' is given twice");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            ''         | --colors '': a word is empty; write words with one comma between
            red,       | --colors 'red,': a word is empty; write words with one comma between
            red,,green | --colors 'red,,green': a word is empty; write words with one comma between
            red,red    | --colors red,red: 'red' is given twice
            red,blue   | --colors 'blue': choose from red, green
            """)
    void aWrongWordIsAUsageError(String text, String message) {
        assertThatThrownBy(() -> colors(text))
                .isInstanceOf(CommandException.class)
                .hasMessage(message);
    }
}
