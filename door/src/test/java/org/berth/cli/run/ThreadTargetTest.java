package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar is the agent's, whose own presets are the samples. */
class ThreadTargetTest {
    private static final Path PRESETS = Path.of("..", "place", "native", "src", "main", "presets");

    @Test
    void everyPresetOfTheAgentIsKnownAndReadable() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(PRESETS)) {
            files = all.toList();
        }
        assertThat(files)
                .extracting(file -> file.getFileName().toString().replace(".rules", ""))
                .containsExactlyInAnyOrderElementsOf(ThreadOptions.PRESETS);
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                if (!line.startsWith("#") && !line.isBlank()) {
                    ThreadTarget.ofRule(file.toString(), line);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slot",
                "slot exclusive",
                "slots 0",
                "slots 0-1",
                "slots 1 exclusive",
                "slots 0-1  exclusive",
                "cpus 0,1",
                "process"
            })
    void targets(String text) {
        ThreadTarget.parse("--gc", text).require(2, CpuSet.of(0, 1));
        assertThat(ThreadTarget.isRule("Map -> Sink -> " + text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slotz 1",
                "slots",
                "slots 2-1",
                "slots 0,2",
                "slots -1",
                "cpus",
                "cpus x",
                "cpus 4-",
                "process 1",
                "slot twice",
                "slot 1"
            })
    void noTargets(String text) {
        assertThatThrownBy(() -> ThreadTarget.parse("--gc", text))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("--gc: ");
    }

    @Test
    void aNameMayHoldAnArrow() {
        assertThat(ThreadTarget.isRule("Map -> Sink: *")).isFalse();
        assertThat(ThreadTarget.isRule("worker-*")).isFalse();
    }
}
