package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** ForeignText alone decides what a terminal, a log or a page would obey; whatever else looks for control characters is named here. */
@Tag("one-jdk")
class ForeignTextSourceTest {
    private static final Set<String> ELSEWHERE = Set.of(
            // It decides what a value may have, and shows nothing.
            "AgentOptions.java",
            "SyntheticDescription.java",
            "PlanLine.java",
            // Topology does not know observation.
            "BitmapText.java",
            // One column for each character, and nothing above U+0300.
            "Canvas.java");

    @Test
    void oneClassDecidesWhatIsShown() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path file : MainSources.all()) {
            if (Files.readString(file).contains("isISOControl")) {
                found.add(file.getFileName().toString());
            }
        }
        assertThat(found).isEqualTo(ELSEWHERE);
    }
}
