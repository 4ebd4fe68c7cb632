package org.berth.cli.shared.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.berth.observation.Reading;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProgramNameTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /usr/bin/java -cp a:b -Xmx1g org.example.Server --port 1  | Server
            java -Xmx1g -jar /opt/app/app-1.0.jar x                   | app-1.0.jar
            java -p mods -m org.example/org.example.Main              | Main
            java @options Main                                        | Main
            java -jar                                                 | kernel
            java                                                      | kernel
            /opt/server/bin/server start                              | kernel
            """)
    void isTheMainClassOrTheJar(String command, String name) {
        assertThat(ProgramName.of(process(List.of(command.split(" ")), true))).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource("python3 job.py")
    void ofAnotherProgramItIsTheKernels(String command) {
        assertThat(ProgramName.of(process(List.of(command.split(" ")), false))).isEqualTo("kernel");
    }

    private static ProcessFacts process(List<String> arguments, boolean jvm) {
        return new ProcessFacts(
                1,
                "kernel",
                arguments,
                Map.of(1, CpuSet.of(0)),
                Map.of(1, "kernel"),
                NodeSet.of(0),
                Reading.of(0),
                Map.of(1, 1),
                Reading.of(jvm),
                true,
                "1");
    }
}
