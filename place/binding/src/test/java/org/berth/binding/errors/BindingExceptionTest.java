package org.berth.binding.errors;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.topology.FailureKind;
import org.junit.jupiter.api.Test;

class BindingExceptionTest {
    @Test
    void namesTheErrno() {
        BindingException e = BindingException.ofErrno("bind", "thread 7", "CPUs 0-3", 3, "it has ended");
        assertThat(e).hasMessage("cannot bind thread 7 to CPUs 0-3: ESRCH (no such process or thread); it has ended");
        assertThat(e.errno()).isEqualTo(3);
        assertThat(e.operation()).isEqualTo("bind");
        assertThat(e.remedy()).isEqualTo("it has ended");
    }

    @Test
    void leavesOutWhatIsEmpty() {
        assertThat(BindingException.ofErrno("read", "the mask", "", 9999, ""))
                .hasMessage("cannot read the mask: error 9999");
    }

    @Test
    void staysOneShortLineWhateverTheUserTyped() {
        String hostile = "pack:2\n\u001b[31mred" + "x".repeat(5000);
        BindingException e = BindingException.of(FailureKind.FAILED, "read", hostile, "", "bad", "");
        assertThat(e.getMessage())
                .doesNotContain("\n", "\u001b")
                .startsWith("cannot read pack:2  [31mred")
                .endsWith("...: bad")
                .hasSizeLessThan(500);
    }
}
