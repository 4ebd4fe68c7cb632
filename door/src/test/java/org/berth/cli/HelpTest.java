package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code --help} of each command: its usage, and not a word of complaint from the library that formats it. */
class HelpTest {
    static Stream<String> commands() {
        return Main.names().stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void printsUsageAndNothingElse(String command) {
        PrintStream before = System.err;
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        Result result;
        // picocli's warnings (a lone "%" in a description) go there, whatever stream a command has.
        System.setErr(new PrintStream(complaints, true, StandardCharsets.UTF_8));
        try {
            result = CommandLines.run(command, "--help");
        } finally {
            System.setErr(before);
        }
        assertThat(complaints.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).startsWith("Usage: berth " + command).contains("--help");
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void helpIsACommandToo() {
        assertThat(CommandLines.run("help")).isEqualTo(CommandLines.run("--help"));
        assertThat(CommandLines.run("help", "run")).isEqualTo(CommandLines.run("run", "--help"));
        assertThat(CommandLines.run("help", "run").exitCode()).isZero();
    }
}
