package org.berth.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The main sources in Java of all modules but those of {@code testing}, without descriptors. What is built, maybe at this moment, is passed over. */
final class MainSources {
    private static final List<String> TOPS = List.of("place", "carry", "measure", "door", "packaging");

    private MainSources() {}

    static List<Path> all() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String top : TOPS) {
            Files.walkFileTree(Path.of("..", top), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().contains("/src/main/java/")
                            && file.toString().endsWith(".java")
                            && !file.endsWith("module-info.java")) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return found;
    }
}
