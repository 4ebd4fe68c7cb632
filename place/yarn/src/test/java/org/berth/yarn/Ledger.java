package org.berth.yarn;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.berth.oracle.Child;

/** The ledger as flock(1) and the files themselves show it. */
record Ledger(Path directory) {
    /** CPUs by name, of leases that somebody holds. */
    Map<String, String> held() {
        return held("cpus ");
    }

    /** The CPUs of one that somebody holds. */
    String cpus(String name) {
        return Objects.requireNonNull(held().get(name), () -> "nobody holds " + name);
    }

    /** One field of them by name. */
    Map<String, String> held(String key) {
        Map<String, String> held = new TreeMap<>();
        try {
            for (Path file : list(directory, "lease-*")) {
                List<String> lines = read(file);
                if (!lines.isEmpty() && isLocked(file)) {
                    held.put(value(lines, "name "), value(lines, key));
                }
            }
            return held;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Names alone: to walk the tree would fail when a file goes meanwhile. */
    private static List<Path> list(Path folder, String names) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, names)) {
            entries.forEach(found::add);
        }
        return found;
    }

    private static boolean isLocked(Path file) {
        return Child.run("flock", "--nonblock", "--shared", file.toString(), "true")
                        .exitCode()
                == 1;
    }

    /** Empty when it was removed meanwhile. */
    private static List<String> read(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private static String value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .findFirst()
                .orElseThrow()
                .substring(key.length());
    }
}
