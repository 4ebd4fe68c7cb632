package org.berth.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.berth.prose.Passage.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Documentation, javadoc, help and messages read as an English-speaking engineer would write them; see
 * docs/developer/style.md.
 */
@Tag("one-jdk")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ProseTest {
    /** They show what not to write. */
    private static final Set<String> EXAMPLES = Set.of("docs/developer/style.md", "docs/glossary.md");

    @Test
    void pagesAreInPlainEnglish() {
        List<Passage> passages = new ArrayList<>();
        for (Path page : Tree.files(".md")) {
            String name = Tree.name(page);
            if (!name.contains("/src/") && !EXAMPLES.contains(name)) {
                passages.addAll(Pages.read(page));
            }
        }
        assertThat(passages).hasSizeGreaterThan(1000);
        clean("pages", passages);
    }

    @Test
    void javadocHelpAndMessagesAreInPlainEnglish() throws IOException {
        List<Path> sources = Tree.files(".java").stream()
                .filter(file -> file.toString().contains("/src/main/java/"))
                .toList();
        List<Passage> passages = Sources.read(sources);
        assertThat(passages)
                .filteredOn(passage -> passage.kind() == Kind.JAVADOC)
                .hasSizeGreaterThan(1000);
        assertThat(passages)
                .filteredOn(passage -> passage.kind() == Kind.MESSAGE)
                .hasSizeGreaterThan(1000);
        clean("sources", passages);
    }

    /** Checks on each CPU: the analysis of sentences takes most of the time. */
    private static void clean(String name, List<Passage> passages) {
        PassedTexts passed = new PassedTexts(name);
        int parts = Math.min(4, Runtime.getRuntime().availableProcessors());
        List<Finding> findings = IntStream.range(0, parts)
                .parallel()
                .mapToObj(part -> findings(passed, passages, part, parts))
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Finding::file).thenComparing(Finding::line))
                .toList();
        passed.write();
        assertThat(findings).withFailMessage(() -> report(findings)).isEmpty();
    }

    private static List<Finding> findings(PassedTexts passed, List<Passage> passages, int part, int parts) {
        Linter linter = new Linter(passed);
        return IntStream.range(0, passages.size())
                .filter(index -> index % parts == part)
                .mapToObj(index -> linter.check(passages.get(index)))
                .flatMap(List::stream)
                .toList();
    }

    private static String report(List<Finding> findings) {
        return findings.size() + " findings:\n"
                + String.join("\n", findings.stream().map(Finding::toString).toList());
    }
}
