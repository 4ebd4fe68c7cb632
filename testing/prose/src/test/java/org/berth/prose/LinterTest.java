package org.berth.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.prose.Passage.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The linter finds known mistakes, at their lines, and accepts what is right. */
@Tag("one-jdk")
final class LinterTest {
    private final Linter linter = new Linter(new PassedTexts("none"));

    @Test
    void knownMistakesOnAPageAreFoundAtTheirLines() {
        List<Passage> page = Pages.read("page.md", """
                # A heading

                The program has two threads, and binds them
                to to a NUMA node. This is an thread.

                ```
                code that have no grammar
                ```

                | option | meaning |
                | --- | --- |
                | `--x y|z` | somebody binds it |

                - This word is mispeled, but `mispeled code` is not.
                """);
        assertThat(page.stream().flatMap(passage -> linter.check(passage).stream()))
                .extracting(finding -> finding.line() + " " + finding.rule())
                .containsExactlyInAnyOrder("4 ENGLISH_WORD_REPEAT_RULE", "4 EN_A_VS_AN", "12 house", "14 spelling");
    }

    @Test
    void aLongSentenceIsFound() {
        String sentence = "The thread runs" + " on one of these CPUs and".repeat(7) + " stops";
        assertThat(linter.check(passage(Kind.PAGE, sentence + ".")))
                .extracting(Finding::rule)
                .containsExactly("length");
    }

    @Test
    void mistakesInJavadocDescriptionsAndMessagesAreFound(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("Sample.java"), """
                /** Of the sample, without a word. */
                public class Sample {
                    @Option(names = "--x", description = "Whether somebody binds the "
                            + "thread to a CPU.")
                    int x;

                    void fail(int cpu) {
                        throw new IllegalStateException("the CPU " + cpu + " have no core of of its own");
                    }
                }
                """);
        assertThat(Sources.read(List.of(source)).stream().flatMap(passage -> linter.check(passage).stream()))
                .extracting(finding -> finding.line() + " " + finding.rule())
                .contains("1 house", "3 house", "8 ENGLISH_WORD_REPEAT_RULE");
    }

    @Test
    void plainEnglishIsAccepted() {
        assertThat(
                        linter.check(
                                passage(
                                        Kind.PAGE,
                                        "Berth binds every thread of a JVM to a NUMA node. The plugin logs the reason if binding fails.")))
                .isEmpty();
    }

    private static Passage passage(Kind kind, String text) {
        return new Passage(kind, "page.md", 1, text);
    }
}
