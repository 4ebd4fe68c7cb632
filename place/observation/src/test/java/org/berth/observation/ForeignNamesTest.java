package org.berth.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.text.ForeignText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignNamesTest {
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
