package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ThreadRuleTest {
    @Test
    void matchesCompleteNames() {
        ThreadRule rule = ThreadRule.of("Executor task launch worker*");
        assertThat(rule.matches("Executor task launch worker for task 0.0 in stage 0.0 (TID 0)"))
                .isTrue();
        assertThat(rule.matches("Executor task launch worker")).isTrue();
        assertThat(rule.matches("executor task launch worker")).isFalse();
        assertThat(rule.matches("An Executor task launch worker")).isFalse();
        assertThat(ThreadRule.of("[a].*").matches("[a].b")).isTrue();
        assertThat(ThreadRule.of("").matches("")).isTrue();
        assertThat(ThreadRule.of("").matches("x")).isFalse();
        assertThat(ThreadRule.of("?").matches("🚢")).isTrue();
    }

    /** The regular expression that the glob stands for is the oracle. */
    @Test
    void agreesWithRegularExpressions() {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        int matches = 0;
        for (int i = 0; i < 50_000; i++) {
            String glob = text(random, "ab*?");
            String name = text(random, "ab");
            String expression = Pattern.quote(glob).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
            boolean expected = Pattern.matches(expression, name);
            matches += expected ? 1 : 0;
            assertThat(ThreadRule.of(glob).matches(name))
                    .as("glob '%s', name '%s', seed %s", glob, name, seed)
                    .isEqualTo(expected);
        }
        assertThat(matches).isGreaterThan(1_000);
    }

    /** Backtracking over every star would take longer than the age of the universe here. */
    @Test
    void manyStarsEnd() {
        assertThat(ThreadRule.of("*a".repeat(40) + "b").matches("a".repeat(4_000)))
                .isFalse();
    }

    @Test
    void refusesWhatALineCannotHold() {
        assertThatThrownBy(() -> ThreadRule.of("two\nlines"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("thread rule 'two?lines' holds the control character U+000A");
        assertThatThrownBy(() -> new ThreadRule("*", "two words"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("role 'two words' is not a word");
    }

    private static String text(SplittableRandom random, String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
