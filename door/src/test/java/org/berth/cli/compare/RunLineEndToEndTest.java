package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Tool;
import org.berth.text.ShellWord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The progress of a comparison in a terminal, which script(1) makes. */
@Tag("one-jdk")
@Timeout(300)
final class RunLineEndToEndTest {
    private static final String UP = "\u001b[1A\u001b[K";

    @TempDir(factory = ExecutableFolder.class)
    private Path folder;

    @Test
    void runsThatEndWellLeaveNoLineInATerminal() throws Exception {
        Tool.require("script");
        Path berth = CliProcess.script(folder.resolve("berth.sh"));
        String line = "TERM=xterm COLUMNS=70 bash " + ShellWord.quote(berth.toString())
                + " compare --levels none --arm 'other=--level none' --runs 2 --warmup 1 --results "
                + ShellWord.quote(folder.resolve("results").toString()) + " -- sleep 0.5";
        Path typescript = folder.resolve("typescript");
        Child.Result result = Child.run(new ProcessBuilder("script", "-qefc", line, typescript.toString()));
        assertThat(result.exitCode()).as(Files.readString(typescript)).isZero();

        String seen = Files.readString(typescript);
        assertThat(seen.split(Pattern.quote(UP), -1).length - 1)
                .as("each of six runs is drawn at least once, and each drawing is removed")
                .isGreaterThanOrEqualTo(6);
        String[] drawings = Arrays.stream(seen.split("\r?\n", -1))
                .map(text -> text.replace(UP, ""))
                .filter(text -> text.matches("(warm-up|round \\d/2)  (none|other) \\d+ s.*"))
                .toArray(String[]::new);
        assertThat(drawings).hasSizeGreaterThanOrEqualTo(6).allMatch(text -> text.length() < 70);
        assertThat(drawings).anyMatch(text -> text.matches("round 2/2 .* \\d+ %  about .* left.*"));
        // Each drawing is followed by its removal, so none is on the screen at the end.
        assertThat(seen.substring(seen.lastIndexOf("round 2/2"))).contains(UP);
        assertThat(seen).doesNotContain("after round");
        assertThat(seen.substring(seen.indexOf("NOT DECIDED:")).lines().takeWhile(text -> !text.isBlank()))
                .as("the answer fits the terminal")
                .hasSizeGreaterThan(1)
                .allMatch(text -> text.length() <= 70);
    }
}
