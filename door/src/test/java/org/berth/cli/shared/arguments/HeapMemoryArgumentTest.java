package org.berth.cli.shared.arguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.cli.shared.CommandException;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Weights of a folder with the fields of docs/background/trials.md that matter here; what they may be is tested with
 * their reader.
 */
class HeapMemoryArgumentTest {
    private static final String MIGRATIONS = "\"seenBetweenCpus?\":0,\"seenBetweenCores?\":0,\"seenBetweenCaches?\":0,"
            + "\"seenBetweenPackages?\":0,\"seenBetweenNodes?\":0,\"kernelBetweenCpus?\":null,";

    private static final String TRIAL =
            "{\"kind\":\"trial\",\"number\":#,\"round\":#,\"arm\":\"node#\",\"warmUp\":false,"
                    + "\"outcome\":\"COMPLETED\",\"exitCode\":0,\"wallSeconds\":1.0,\"metrics\":{},\"othersShare\":null,\"samples\":9,"
                    + "\"processes\":1,\"mostThreads\":9," + MIGRATIONS.replace("?", "")
                    + MIGRATIONS.replace("?", "OfWorkers")
                    + "\"nodeBytes\":{\"#\":1000},\"residencyInSlot\":0,\"residencyCounted\":0,\"samplingSeconds\":0.1,"
                    + "\"log\":\"#.log\",\"notes\":[]}\n";

    @TempDir
    private Path folder;

    private Path results;

    @BeforeEach
    void write() throws IOException {
        results = Files.createDirectory(folder.resolve("results@home"));
        StringBuilder lines = new StringBuilder(
                "{\"kind\":\"experiment\",\"schema\":3,\"name\":\"bandwidth\",\"started\":\"2026-01-01T00:00:00Z\","
                        + "\"rounds\":1,\"balanced\":true,\"samplingMillis\":100,\"identity\":{}}\n");
        int[] rates = {80, 20, 39};
        for (int node = 0; node < rates.length; node++) {
            lines.append(TRIAL.replace("#", Integer.toString(node)));
            Files.writeString(
                    results.resolve(node + ".log"),
                    "triad, GB/s        first touch\nthe JVM's CPUs (2 threads)     " + rates[node] + ".00\n");
        }
        Files.writeString(results.resolve("trials.jsonl"), lines);
    }

    private String parse(String nodes, NodeSet allowed) {
        return HeapMemoryArgument.parse("weighted:measured=" + results + nodes, () -> allowed)
                .toString();
    }

    @Test
    void weightsAreShareOfTheFastestNode() {
        assertThat(parse("", NodeSet.parseList("0-2"))).isEqualTo("weighted:100,25,49@0-2");
        assertThat(parse("", NodeSet.parseList("0,2"))).isEqualTo("weighted:100,49@0,2");
        assertThat(parse("@1-2", NodeSet.of(0))).isEqualTo("weighted:25,49@1-2");
    }

    @Test
    void aNodeThatWasNotMeasuredIsNamed() {
        assertThatThrownBy(() -> parse("", NodeSet.parseList("0-3")))
                .isInstanceOf(CommandException.class)
                .message()
                .contains("have the bandwidth of nodes [0, 1, 2] and not of node 3; give each node an arm")
                .hasLineCount(1);
    }

    @Test
    void aFolderWithoutSuchNumbersIsAnError() throws IOException {
        for (int node = 0; node < 3; node++) {
            Files.writeString(results.resolve(node + ".log"), "time 3\n");
        }
        assertThatThrownBy(() -> parse("", NodeSet.of(0)))
                .isInstanceOf(CommandException.class)
                .message()
                .contains("have no bandwidth of a memory node")
                .hasLineCount(1);
        Files.delete(results.resolve("trials.jsonl"));
        assertThatThrownBy(() -> parse("", NodeSet.of(0)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("it is not a folder of results of 'berth bench'");
    }
}
