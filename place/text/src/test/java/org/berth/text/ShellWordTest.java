package org.berth.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
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

    @Test
    void bashReadsAnyBytesBack() throws Exception {
        byte[] word = new byte[255];
        for (int i = 0; i < word.length; i++) {
            word[i] = (byte) (i + 1);
        }
        Process shell = new ProcessBuilder("bash", "-c", "printf %s " + ShellWord.ofBytes(word)).start();
        assertThat(shell.getInputStream().readAllBytes()).isEqualTo(word);
        assertThat(shell.waitFor()).isZero();
    }
}
