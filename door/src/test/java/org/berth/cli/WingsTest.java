package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The three wings, held against the imports of all main sources; {@link ArchitectureTest} sees only what is on its class path. */
@Tag("one-jdk")
class WingsTest {
    private static final Map<String, Set<String>> MAY_USE = Map.of(
            "place", Set.of("place"),
            "carry", Set.of("place", "carry"),
            "measure", Set.of("place", "carry", "measure"));

    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(org\\.berth\\.[a-z0-9.]+)\\.[A-Z]");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z0-9.]+);");

    @Test
    void aWingImportsOnlyTheWingsThatItMay() throws IOException {
        Map<String, String> wings = new HashMap<>();
        for (Path file : MainSources.all()) {
            Matcher own = PACKAGE.matcher(Files.readString(file));
            assertThat(own.find()).as(file.toString()).isTrue();
            wings.put(own.group(1), wing(file));
        }
        assertThat(wings.values()).contains("place", "carry", "measure");
        List<String> faults = new ArrayList<>();
        for (Path file : MainSources.all()) {
            Set<String> allowed = MAY_USE.get(wing(file));
            if (allowed != null) {
                IMPORT.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1))
                        .filter(name ->
                                MAY_USE.containsKey(wings.getOrDefault(name, "")) && !allowed.contains(wings.get(name)))
                        .forEach(name -> faults.add(file + " imports " + name + " of " + wings.get(name)));
            }
        }
        assertThat(faults).isEmpty();
    }

    /** The first folder: {@code place} of {@code ../place/topology/src/…}. */
    private static String wing(Path file) {
        return file.getName(1).toString();
    }
}
