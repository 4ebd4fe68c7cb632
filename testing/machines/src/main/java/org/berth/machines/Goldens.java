package org.berth.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Expected outputs in files; {@code -Dberth.goldens=refresh} writes them anew, to be looked at before a commit. */
public final class Goldens {
    private static final boolean REFRESH = "refresh".equals(System.getProperty("berth.goldens"));
    private static final Path FOLDER =
            Path.of(System.getProperty("basedir", "."), "src", "test", "resources", "goldens");

    private Goldens() {}

    /** Compares the text with the file of that name below {@code src/test/resources/goldens} of the module under test. */
    public static void check(String name, String actual) {
        Path file = FOLDER.resolve(name);
        try {
            if (REFRESH) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, actual);
            }
            assertThat(actual)
                    .as("%s (refresh with -Dberth.goldens=refresh)", file)
                    .isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use " + file, e);
        }
    }
}
