package org.berth.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {
    @ParameterizedTest
    @ValueSource(strings = {"plain", "-Xmx1g", "two words", "it's", "$HOME", "", "a\nb", "*", "~", "\"\\`"})
    void aShellReadsTheWordBack(String word) throws Exception {
        Process shell = new ProcessBuilder("/bin/sh", "-c", "printf %s " + ShellWord.quote(word)).start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(word);
        assertThat(shell.waitFor()).isZero();
    }
}
