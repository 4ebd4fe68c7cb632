package org.berth.observation.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.observation.Reading;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Process 7, which is process 3 in its container, and began 55 ticks after boot. */
class AgentMarkTest {
    private static final ProcessFacts PROCESS = new ProcessFacts(
            7,
            "java",
            List.of("java"),
            Map.of(7, CpuSet.of(0)),
            Map.of(7, "java"),
            NodeSet.of(0),
            Reading.of(0),
            Map.of(7, 3),
            Reading.of(true),
            true,
            "55");

    @TempDir
    private Path root;

    @ParameterizedTest
    @CsvSource({
        "BERTH_AGENT_PID=3:55:1, true",
        "A=1;BERTH_AGENT_PID=3:55:2;B=2, true",
        "A=1;BERTH_AGENT_PID=3:56:1, false",
        "BERTH_AGENT_PID=7:55:1, false",
        "XBERTH_AGENT_PID=3:55:1, false",
        "A=BERTH_AGENT_PID=3:55:1, false"
    })
    void isThatOfThisProcess(String environment, boolean marked) throws IOException {
        Path process = Files.createDirectories(root.resolve("proc/7"));
        Files.writeString(process.resolve("environ"), environment.replace(';', '\0') + "\0");
        assertThat(AgentMark.of(PROCESS, root)).isEqualTo(Reading.of(marked));
    }

    @Test
    void aProcessThatHasEndedHasNone() {
        assertThat(AgentMark.of(PROCESS, root)).isInstanceOf(Reading.Absent.class);
    }
}
