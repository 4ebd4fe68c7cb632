package org.berth.agent;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A JDK to try the agent with: the one of the tests and all others of this machine. */
record Jdk(Path home) {
    private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");

    /** BERTH_TEST_JAVAS (homes, separated by ':') narrows or widens the choice. */
    static List<Jdk> all() {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        String chosen = System.getenv("BERTH_TEST_JAVAS");
        if (chosen != null) {
            Stream.of(chosen.split(File.pathSeparator)).map(Path::of).forEach(homes::add);
        } else if (Files.isDirectory(USUAL_PLACE)) {
            try (Stream<Path> found = Files.list(USUAL_PLACE)) {
                found.filter(home -> Files.isExecutable(home.resolve("bin/java")))
                        .forEach(homes::add);
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }
        return homes.stream()
                .map(Jdk::realPath)
                .distinct()
                .map(Jdk::new)
                .filter(Jdk::isUsable)
                .toList();
    }

    /** The tests are compiled for Java 17 and use a tool that a JRE may lack. */
    private boolean isUsable() {
        try {
            return Files.isExecutable(Path.of(tool("jcmd")))
                    && Files.readAllLines(home.resolve("release")).stream()
                            .anyMatch(line -> line.matches("JAVA_VERSION=\"(1[7-9]|[2-9]\\d).*"));
        } catch (IOException unknown) {
            return false;
        }
    }

    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    String tool(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    @Override
    public String toString() {
        return String.valueOf(home.getFileName());
    }
}
