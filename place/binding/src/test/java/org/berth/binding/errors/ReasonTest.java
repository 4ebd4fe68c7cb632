package org.berth.binding.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class ReasonTest {
    @Test
    void theReasonIsTheFirstLineThatSaysSomething() {
        assertThat(Reason.of(new IOException("the disk is full\nand more"))).isEqualTo("the disk is full");
        assertThat(Reason.of(new IOException("\n \nlate"))).isEqualTo("late");
        assertThat(Reason.of(new UncheckedIOException("closed", new IOException("why"))))
                .isEqualTo("closed");
    }

    @Test
    void withoutAMessageTheReasonIsThatOfTheCauseOrItsKind() {
        assertThat(Reason.of(new RuntimeException(null, new IOException("why"))))
                .isEqualTo("why");
        assertThat(Reason.of(new NullPointerException())).isEqualTo("java.lang.NullPointerException");
        assertThat(Reason.of(new IOException(""))).isEqualTo("java.io.IOException: ");
        assertThat(Reason.of(new RuntimeException(null, new RuntimeException((String) null))))
                .isEqualTo("java.lang.RuntimeException");
        assertThat(Reason.of(new NoClassDefFoundError("org/berth/Missing")))
                .isEqualTo("java.lang.NoClassDefFoundError: org/berth/Missing");
    }
}
