package org.berth.binding.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
    @Test
    void theReasonIsTheFirstLineThatSaysSomething() {
        assertThat(FailureText.of(new IOException("the disk is full\nand more")))
                .isEqualTo("the disk is full");
        assertThat(FailureText.of(new IOException("\n \nlate"))).isEqualTo("late");
        assertThat(FailureText.of(new UncheckedIOException("closed", new IOException("why"))))
                .isEqualTo("closed");
    }

    @Test
    void withoutAMessageTheReasonIsThatOfTheCauseOrItsKind() {
        assertThat(FailureText.of(new RuntimeException(null, new IOException("why"))))
                .isEqualTo("why");
        assertThat(FailureText.of(new NullPointerException())).isEqualTo("java.lang.NullPointerException");
        assertThat(FailureText.of(new IOException(""))).isEqualTo("java.io.IOException: ");
        assertThat(FailureText.of(new RuntimeException(null, new RuntimeException((String) null))))
                .isEqualTo("java.lang.RuntimeException");
        assertThat(FailureText.of(new NoClassDefFoundError("org/berth/Missing")))
                .isEqualTo("java.lang.NoClassDefFoundError: org/berth/Missing");
    }
}
