package org.berth.shipped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a task finds out about its thread and its JVM without Berth. */
final class SeenHere {
    private SeenHere() {}

    /** The CPUs that the kernel allows this thread. */
    static String mask() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*:\\s*", "");
    }

    /** Whether the class path that this JVM was started with has something of Berth. */
    static boolean hasBerth() {
        return Stream.of(System.getProperty("java.class.path").split(":", -1))
                .anyMatch(element -> element.matches(".*/(berth-[^/]*|[^/]*installed\\.jar|target/classes/?)"));
    }
}
