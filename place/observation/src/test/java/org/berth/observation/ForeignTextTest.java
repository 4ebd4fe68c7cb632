package org.berth.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignTextTest {
    /** A title, the clipboard, the same with a control character of eight bits, a line, a turned text, a half of a pair. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b]0;title\u0007",
                "\u001b]52;c;eA==\u0007",
                "\u009b2J",
                "a\nb",
                "a\rb",
                "a\u2028b",
                "\u202egpj.exe",
                "\u2066x",
                "x\ud800",
                "\u007f"
            })
    void nothingThatATerminalObeysIsLeft(String hostile) {
        assertThat(ForeignText.clean(hostile))
                .contains("?")
                .doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker-1", "Gr\u00fc\u00dfe", "\ud83d\ude80", "[G1] #3 %d"})
    void otherTextStays(String text) {
        assertThat(ForeignText.clean(text)).isEqualTo(text);
    }

    /** The name of a thread as the kernel shows it: bytes, of which those of eight bits are two. */
    @ParameterizedTest
    @ValueSource(strings = {"\u009b31m", "\u001b[31m", "\u202eabc"})
    void namesOfThreadsAreClean(String name) throws Exception {
        String comm = "/proc/self/task/" + ProcessHandle.current().pid() + "/comm";
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        Path file = Path.of(comm);
        byte[] before = Files.readAllBytes(file);
        try {
            Files.write(file, bytes);
            try (ThreadSampler sampler =
                    ThreadSampler.of(ProcessHandle.current().pid())) {
                assertThat(sampler.sample().threads())
                        .extracting(ThreadSnapshot::name)
                        .contains(ForeignText.clean(name));
            }
            assertThat(ProcessFacts.of(ProcessHandle.current().pid(), Path.of("/"))
                            .names())
                    .containsValue(ForeignText.clean(name));
        } finally {
            Files.write(file, before);
        }
    }
}
