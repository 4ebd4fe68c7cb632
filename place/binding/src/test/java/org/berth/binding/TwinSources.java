package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What stands in the sources of C files and Java classes. */
final class TwinSources {
    static final Path NATIVE = Path.of("../native/src/main");
    private static final List<Path> SOURCES = sources();
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    private TwinSources() {}

    /** A file without comments, with each text in one piece. */
    static String c(String file) throws IOException {
        return Files.readString(NATIVE.resolve("c").resolve(file))
                .replaceAll("(?s)/\\*.*?\\*/", "")
                .replaceAll("\"\\s*\\n\\s*\"", "");
    }

    /** The source of a class, whose name is in the tree once. */
    static String java(String name) throws IOException {
        return Files.readString(SOURCES.stream()
                .filter(file -> file.endsWith(name + ".java"))
                .findFirst()
                .orElseThrow());
    }

    private static List<Path> sources() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
            root = Objects.requireNonNull(root.getParent(), "the folder of the project");
        }
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    // Other modules may be built meanwhile.
                    return folder.endsWith("target") || folder.endsWith(".git")
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().contains("/src/main/java/")) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return found;
    }

    static String define(String header, String name) {
        try {
            return groups(c(header), "#define " + name + " (.+)").get(0).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The number of an enumerator. */
    static int number(String header, String name) throws IOException {
        return Integer.parseInt(groups(c(header), "\\b" + name + " = (\\d+)").get(0));
    }

    /** A constant of a Java class, as it is written. */
    static String constant(String java, String name) throws IOException {
        return groups(java(java), "static final \\w+ " + name + " =\\s+([^;]+);")
                .get(0);
    }

    static int hex(String digits) {
        return Integer.parseInt(digits, 16);
    }

    static String between(String text, String start, String end) {
        int from = text.indexOf(start);
        assertThat(from).as(start).isNotNegative();
        int to = text.indexOf(end, from + start.length());
        assertThat(to).as(end).isNotNegative();
        return text.substring(from + start.length(), to);
    }

    static List<String> literals(String text) {
        return groups(text, LITERAL.pattern());
    }

    static List<String> groups(String text, String pattern) {
        return all(text, pattern).stream().map(found -> found.group(1)).toList();
    }

    static List<MatchResult> all(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().toList();
    }
}
