package org.berth.binding.internal.library;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Files that processes may open later: their options and their environment name them, and their children inherit both. */
final class NamedFiles {
    private static final List<String> PLACES = List.of("cmdline", "environ", "maps");

    private NamedFiles() {}

    /** Whether a process of this user names the file, which no other user can open in a private directory. */
    static boolean isNamed(Path file) throws IOException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                for (String place : PLACES) {
                    if (text(process.resolve(place)).contains(file.toString())) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException ended) {
            return "";
        } catch (IOException endedOrOfAnotherUser) {
            return "";
        }
    }
}
