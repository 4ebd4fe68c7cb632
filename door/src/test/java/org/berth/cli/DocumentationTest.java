package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pages of the documentation: links, anchors, pages that sources name, outline and length. Their language:
 * testing/prose.
 */
final class DocumentationTest {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern IMAGE_OR_PAGE = Pattern.compile("\\bdocs/[\\w./-]+\\.(?:md|svg|java)\\b");
    private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @Test
    void everyRelativeLinkResolves() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Path page : files(".md")) {
            for (MatchResult link : LINK.matcher(withoutCode(page)).results().toList()) {
                String target = link.group(1);
                if (!target.matches("[a-z]+:.*")) {
                    fault(page, target).ifPresent(faults::add);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    private static Optional<String> fault(Path page, String target) throws IOException {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(file)) {
            return Optional.of(TOP.relativize(page) + ": no file " + target);
        }
        boolean there = parts.length == 1 || anchors(file).contains(parts[1]);
        return there ? Optional.empty() : Optional.of(TOP.relativize(page) + ": no heading " + target);
    }

    /** The anchors of a page's headings, made as GitHub makes them. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        Matcher heading = HEADING.matcher(withoutCode(page));
        while (heading.find()) {
            String anchor = heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .strip()
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    @Test
    void everyPageNamedInASourceExists() throws IOException {
        List<String> faults = new ArrayList<>();
        for (String end : List.of(".java", ".c", ".h")) {
            for (Path source : files(end)) {
                IMAGE_OR_PAGE
                        .matcher(Files.readString(source))
                        .results()
                        .map(MatchResult::group)
                        .filter(name -> !Files.exists(TOP.resolve(name)))
                        .forEach(name -> faults.add(TOP.relativize(source) + ": " + name));
            }
        }
        assertThat(faults).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"spark", "spark-shuffle", "hdfs", "yarn"})
    void enginePagesHaveOneOutline(String engine) throws IOException {
        List<String> lines = Files.readAllLines(TOP.resolve("docs/engines/" + engine + ".md"));
        assertThat(lines.stream().filter(line -> line.startsWith("## ")))
                .containsExactly("## Set up", "## Settings", "## Check", "## Undo", "## Troubleshoot");
        assertThat(lines).hasSizeLessThanOrEqualTo(120);
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(TOP.resolve("README.md"))).hasSizeLessThanOrEqualTo(100);
    }

    @Test
    void theArchitectureNamesFewPlaces() throws IOException {
        String table = Files.readString(TOP.resolve("ARCHITECTURE.md")).split("\\| I want to", 2)[1];
        assertThat(table.lines().filter(line -> line.startsWith("| ")).skip(1)).hasSizeBetween(10, 25);
    }

    @Test
    void thePagesHaveFewWords() throws IOException {
        long words = 0;
        for (Path page : files(".md")) {
            if (!page.toString().contains("/src/")) {
                words += Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*")
                        .matcher(Files.readString(page))
                        .results()
                        .count();
            }
        }
        assertThat(words).as("words of all pages, see tools/house").isLessThanOrEqualTo(45_000);
    }

    @Test
    void everyPackageOfACommandHasAPage() throws IOException {
        List<String> packages = new ArrayList<>();
        for (String wing : List.of("place", "carry", "measure")) {
            Path commands = TOP.resolve(wing).resolve("commands/src/main/java/org/berth/cli");
            try (Stream<Path> folders = Files.list(commands)) {
                folders.map(folder -> folder.getFileName().toString())
                        .filter(name -> !name.equals("shared") && !name.equals(wing))
                        .forEach(name -> packages.add(name + ".md"));
            }
        }
        try (Stream<Path> pages = Files.list(TOP.resolve("docs/commands"))) {
            assertThat(pages.map(page -> page.getFileName().toString())).containsExactlyInAnyOrderElementsOf(packages);
        }
    }

    private static String withoutCode(Path page) throws IOException {
        return FENCE.matcher(Files.readString(page)).replaceAll("");
    }

    /** Files of the tree by the end of their names, without what builds make. */
    private static List<Path> files(String end) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(TOP, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skip = name.equals("target") || (name.startsWith(".") && !folder.equals(TOP));
                return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().endsWith(end)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(found).isNotEmpty();
        return found;
    }
}
