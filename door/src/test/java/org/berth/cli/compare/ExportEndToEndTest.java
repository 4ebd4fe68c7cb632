package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The table of a real comparison in forms for other programs. */
@Tag("one-jdk")
@Timeout(600)
final class ExportEndToEndTest {
    @TempDir(factory = ExecutableFolder.class)
    private Path folder;

    /** The command prints 1 in the first arm and 2 in the second, so the ratio is known. */
    private Child.Result compare(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("compare", "--levels", "none", "--arm", "twice=N=2 --level none"));
        words.addAll(List.of("--runs", "5", "--warmup", "0", "--metric", "units[u]=units ([0-9.]+)"));
        words.addAll(List.of("--results", folder.resolve("results").toString()));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", "echo units ${N:-1}.00000"));
        return CliProcess.run(folder, words.toArray(new String[0]));
    }

    @Test
    void aMarkdownFileHasARowForEachArm() throws Exception {
        Path file = folder.resolve("table.md");
        Child.Result result = compare("--export", file.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("ARM").doesNotContain("| Arm |");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.subList(0, 3))
                .containsExactly(
                        "| Arm | Runs | Units, median | Ratio to none (95 % interval) | Verdict |",
                        "| --- | --- | --- | --- | --- |", "| none | 5 | 1.00 u | – | baseline |");
        assertThat(lines).hasSize(4);
        assertThat(lines.get(3))
                .matches(
                        "\\| twice \\| 5 \\| 2\\.00 u \\| 2\\.0+ \\((2\\.0|1\\.99)[0-9]* to 2\\.0[0-9]*\\) \\| (worse|slower) \\|");
    }

    @Test
    void aCsvFileHasNumbersThatAProgramReads() throws Exception {
        Path file = folder.resolve("table.csv");
        Child.Result result = compare("--export", file.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.get(0))
                .isEqualTo("number,unit,arm,runs,failed,median,smallest,largest,ratio,ratioLow,ratioHigh,verdict");
        assertThat(lines.get(1)).isEqualTo("units,u,none,5,0,1.000000,1.000000,1.000000,,,,baseline");
        assertThat(lines.get(2)).startsWith("units,u,twice,5,0,2.000000,2.000000,2.000000,2.0000");
    }

    @Test
    void withADashMarkdownIsAloneOnStandardOutputAndJsonGoesToItsFile() throws Exception {
        Path json = folder.resolve("summary.json");
        Child.Result result = compare("--export", "-", "--json", json.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out().lines()).hasSize(4).allMatch(line -> Pattern.matches("\\|.*\\|", line));
        assertThat(result.err()).contains("Raw results");
        assertThat(JsonValues.object(Files.readString(json))).containsEntry("format", "berth-comparison");
    }

    @Test
    void wrongRequestsAreRefusedBeforeAnythingRuns() {
        for (String words : List.of("--export table.txt", "--export - --json")) {
            List<String> all = new ArrayList<>(List.of("compare"));
            all.addAll(List.of(words.split(" ")));
            all.addAll(List.of("--", "true"));
            Child.Result result = CommandLines.run(all.toArray(new String[0]));
            assertThat(result.exitCode()).as(words).isEqualTo(2);
            assertThat(result.err()).as(words).contains("--export").hasLineCount(1);
        }
    }
}
