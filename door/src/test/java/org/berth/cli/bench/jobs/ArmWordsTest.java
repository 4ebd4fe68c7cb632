package org.berth.cli.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.berth.cli.shared.CommandException;
import org.berth.jobkit.JobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArmWordsTest {
    private static final ArmWords<Integer> NUMBERS =
            new ArmWords<>("--numbers", List.of("--number", "--digit"), "", ArmWordsTest::number);

    private static int number(String word) {
        if (!word.matches("\\d+")) {
            throw JobException.failure("'" + word + "' is no number");
        }
        return Integer.parseInt(word);
    }

    @Test
    void theFirstOfTwoOrMoreIsTheBaseline() {
        assertThat(NUMBERS.parse("3, 1,2", false)).containsExactly(3, 1, 2);
        assertThatThrownBy(() -> NUMBERS.parse("3", false))
                .isInstanceOf(CommandException.class)
                .hasMessage("--numbers 3: give at least two; the first one is the baseline");
    }

    @Test
    void aSelfCheckNeedsOneOnly() {
        assertThat(NUMBERS.parse("3", true)).containsExactly(3);
    }

    @Test
    void theParserSaysWhatIsWrongWithAWord() {
        assertThatThrownBy(() -> NUMBERS.parse("3,x", false))
                .isInstanceOf(CommandException.class)
                .hasMessage("--numbers 3,x: 'x' is no number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--number 3", "--number=3", "--data x --digit=3"})
    void theJobGetsNoSuchOption(String options) {
        assertThatThrownBy(() -> NUMBERS.check(List.of(options.split(" ", -1))))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(" after --: the numbers are the arms; give --numbers LIST");
    }

    @Test
    void otherOptionsOfTheJobMayBeginAlike() {
        assertThatCode(() -> NUMBERS.check(List.of("--numbering", "3", "--data=--number")))
                .doesNotThrowAnyException();
    }
}
