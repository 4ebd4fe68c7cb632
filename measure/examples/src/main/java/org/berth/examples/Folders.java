package org.berth.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Temporary folders. */
final class Folders {
    private Folders() {}

    /** Removes a folder with all that is in it; a line on standard error names one that cannot be removed. */
    static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> paths = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : paths) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("berth: cannot remove " + folder + " (remove it by hand): " + e);
        }
    }
}
