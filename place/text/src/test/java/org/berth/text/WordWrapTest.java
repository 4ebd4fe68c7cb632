package org.berth.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WordWrapTest {
    @Test
    void aTextIsWrappedAtBlanksThenCommasThenAnywhere() {
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
