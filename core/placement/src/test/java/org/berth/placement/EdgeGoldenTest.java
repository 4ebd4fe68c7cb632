package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link SoftEdges} decides by recordings, each decision a line {@code NANOS SLOT open|closed REASON}. The agent decides
 * in C, and {@code edges_test.c} reads the same files: the two must not differ.
 *
 * <p>After a wanted change, {@code -Dberth.goldens=refresh} writes the decisions anew.
 */
class EdgeGoldenTest {
    private static final Path FOLDER = Path.of("src/test/resources/edges");

    @ParameterizedTest
    @ValueSource(strings = {"sort-by", "nothing-idle", "by-chance"})
    void recordingsLeadToTheseDecisions(String name) throws IOException {
        String events =
                EdgeRecording.parse(Files.readString(FOLDER.resolve(name + ".txt")))
                        .replay(EdgeSettings.defaults())
                        .stream()
                        .map(EdgeGoldenTest::line)
                        .collect(Collectors.joining());
        Path golden = FOLDER.resolve(name + ".events");
        if ("refresh".equals(System.getProperty("berth.goldens"))) {
            Files.writeString(golden, events);
        }
        assertThat(events).isEqualTo(Files.readString(golden));
    }

    private static String line(EdgeRecording.Event event) {
        EdgeChange change = event.change();
        return event.nanos() + " " + change.slot() + " " + (change.open() ? "open" : "closed") + " " + change.reason()
                + "\n";
    }
}
