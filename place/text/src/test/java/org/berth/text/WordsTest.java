package org.berth.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
    private enum Colour {
        DARK_BLUE
    }

    @Test
    void oneThingIsSingularAndAllOtherNumbersArePlural() {
        assertThat(List.of(Words.count(0, "PU"), Words.count(1, "PU"), Words.count(2, "PU")))
                .containsExactly("0 PUs", "1 PU", "2 PUs");
    }

    @Test
    void constantsAreWordsWithHyphens() {
        assertThat(Words.of(Colour.DARK_BLUE)).isEqualTo("dark-blue");
    }

    @Test
    void aCapitalIsPutInFrontOfAnyText() {
        assertThat(Words.capital("disk")).isEqualTo("Disk");
        assertThat(Words.capital("")).isEmpty();
    }

    @Test
    void onlyTheLastTwoNamesAreJoinedByAnd() {
        assertThat(Words.and(List.of())).isEmpty();
        assertThat(Words.and(List.of("a"))).isEqualTo("a");
        assertThat(Words.and(List.of("a", "b"))).isEqualTo("a and b");
        assertThat(Words.and(List.of("a", "b", "c"))).isEqualTo("a, b and c");
    }

    @Test
    void aLongNameLosesItsMiddleAndNoHalfOfAPair() {
        assertThat(Words.shorten("worker-12", 9)).isEqualTo("worker-12");
        assertThat(Words.shorten("executor-worker-12", 9)).isEqualTo("exec…r-12");
        assertThat(Words.shorten("\ud83d\ude80".repeat(5), 4)).isEqualTo("\ud83d\ude80\ud83d\ude80…\ud83d\ude80");
    }

    @Test
    void oneLineHasBlanksForWhatATerminalObeys() {
        assertThat(Words.oneLine("a\nb\u001b[2Jc\u202ed")).isEqualTo("a b [2Jc d");
    }

    @Test
    void aCutLineEndsWithDotsAndNoHalfOfAPair() {
        assertThat(Words.oneLine("0123456789", 10)).isEqualTo("0123456789");
        assertThat(Words.oneLine("0123456789a", 10)).isEqualTo("0123456...");
        assertThat(Words.oneLine("012345\ud83d\ude80789", 10)).isEqualTo("012345...");
    }

    @Test
    void aQuotedInputIsShortAndShowsThatSomethingWasThere() {
        assertThat(Words.quote("1\r")).isEqualTo("1?");
        assertThat(Words.quote("x".repeat(100))).isEqualTo("x".repeat(57) + "...");
    }
}
