package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.cli.shared.OldWords;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The table of old spellings, row by row. */
@Tag("one-jdk")
final class OldWordsTest {
    /** A valid value for each word in capitals. */
    private static final Map<String, String> VALUES = Map.of(
            "JOB",
            "kmeans",
            "STUDY",
            "affinity",
            "LEVEL",
            "core",
            "DIR",
            "/tmp",
            "numa|package|l3",
            "l3",
            "hdfs-dynamic|paper",
            "paper");

    private static List<String> words(String line) {
        return Stream.of(line.split(" +"))
                .map(word -> VALUES.getOrDefault(word, word))
                .toList();
    }

    private static OldWords.Line renew(String line) {
        Map<String, CommandLine> known = Main.commandLine().getSubcommands();
        return OldWords.renew(words(line), name -> Optional.ofNullable(known.get(name)));
    }

    private static List<String> parsed(List<String> words) {
        ParseResult result = Main.commandLine().parseArgs(words.toArray(new String[0]));
        while (result.hasSubcommand()) {
            result = result.subcommand();
        }
        return List.of(
                result.commandSpec().qualifiedName(),
                result.matchedOptions().toString(),
                result.matchedPositionals().toString());
    }

    static List<OldWords.Row> rows() {
        return OldWords.TABLE;
    }

    /** An option of which some values are old has others that stay. */
    static List<OldWords.Row> rowsOfAnyValue() {
        return OldWords.TABLE.stream()
                .filter(row -> !row.old().matches(".* --(into|policy) .*"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachRowMeansTheSameInTheNewWords(OldWords.Row row) {
        String command = row.old().matches("(run|split) .*") ? " -- true" : "";
        OldWords.Line line = renew(row.old() + command);
        assertThat(line.words()).isEqualTo(words(row.now() + command));
        assertThat(parsed(line.words())).isEqualTo(parsed(words(row.now() + command)));
        assertThat(line.notes())
                .containsExactly("berth: '" + String.join(" ", words(row.old())) + "' is now '"
                        + String.join(" ", words(row.now())) + "'; the old spelling goes with the next release");
    }

    /** A command or an option that is still known would hide its new spelling. */
    @ParameterizedTest
    @MethodSource("rowsOfAnyValue")
    void noOldSpellingIsInTheHelp(OldWords.Row row) {
        List<String> old = words(row.old());
        CommandLine command = Main.commandLine().getSubcommands().get(old.get(0));
        String option =
                old.stream().filter(word -> word.startsWith("-")).findFirst().orElse("");
        assertThat(command == null
                        || (!option.isEmpty()
                                && !command.getCommandSpec().optionsMap().containsKey(option)))
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            compare --runs 5 --job kmeans -- --clusters 3      | bench kmeans --runs 5 -- --clusters 3
            compare --job=kmeans --runs 5                      | bench kmeans --runs 5
            compare --dry-run --study=collectors -- java A     | study collectors --dry-run -- java A
            --verbose spark-conf --level core                  | --verbose conf spark --level core
            split --heap 8g --into=numa -- java --into l3      | split --domain numa --heap 8g -- java --into l3
            split --into 2 -- java --into l3                   | split --into 2 -- java --into l3
            conf yarn --heap 8g --into package                 | conf yarn --domain package --heap 8g
            help yarn-conf                                     | help conf yarn
            compare --json - --jobs                            | bench --json -
            compare -- berth compare --job kmeans              | compare -- berth compare --job kmeans
            run --level core -- berth spark-conf               | run --level core -- berth spark-conf
            run --level core berth compare --jobs              | run --level core berth compare --jobs
            compare --job --levels none                        | compare --job --levels none
            topo --json                                        | topo --json
            """)
    void theOtherWordsKeepTheirOrder(String old, String now) {
        assertThat(renew(old).words()).isEqualTo(words(now));
        assertThat(renew(old).notes()).hasSize(old.equals(now) ? 0 : 1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            spark-conf --level core | conf spark --level core
            yarn-conf --heap 8g     | conf yarn --heap 8g
            compare --jobs          | bench
            """)
    void theOldLineDoesTheSameAndTellsTheNewOne(String old, String now) {
        Result before = CommandLines.run(old.split(" "));
        Result after = CommandLines.run(now.split(" "));
        assertThat(after.exitCode()).as(after.err()).isZero();
        assertThat(before.out()).isEqualTo(after.out());
        assertThat(before.exitCode()).isEqualTo(after.exitCode());
        assertThat(before.err()).hasLineCount(1).contains("' is now '");
        assertThat(after.err()).isEmpty();
    }

    @Test
    void aLineWithoutCommandIsLeftAlone() {
        assertThat(OldWords.renew(List.of("--help"), name -> Optional.empty()).words())
                .containsExactly("--help");
        assertThat(OldWords.renew(List.of(), name -> Optional.empty()).words()).isEmpty();
    }
}
