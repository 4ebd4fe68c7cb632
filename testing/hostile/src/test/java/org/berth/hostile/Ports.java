package org.berth.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The ports that hostile peers attack, in a file that they read. Thread-safe. */
final class Ports {
    private final Path file;
    private final Map<String, Set<Integer>> byOwner = new TreeMap<>();

    Ports(Path file) {
        this.file = file;
        replace("nobody");
    }

    Path file() {
        return file;
    }

    /** No others than these. */
    synchronized void only(Integer... ports) {
        byOwner.clear();
        replace("all", ports);
    }

    void replace(String owner, Integer... ports) {
        replace(owner, Set.of(ports));
    }

    synchronized void replace(String owner, Set<Integer> ports) {
        byOwner.put(owner, new TreeSet<>(ports));
        String text = byOwner.values().stream()
                .flatMap(Set::stream)
                .map(port -> port + "\n")
                .collect(Collectors.joining());
        try {
            Path fresh = file.resolveSibling("ports.new");
            Files.writeString(fresh, text);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
