package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code --help} and {@code --help-all} of each command, and not a word of complaint from the library that formats them. */
class HelpTest {
    private static final int MOST_OPTIONS = 14;
    private static final Set<String> WITH_THREE_EXAMPLES =
            Set.of("topo", "doctor", "run", "watch", "compare", "split", "bind", "bench", "tune", "conf", "study");

    /** The begin of a line of the list of options. */
    private static final Pattern OPTION = Pattern.compile("(?m)^ {2,6}(--?[A-Za-z][\\w-]*|--\\[no-\\][\\w-]+)");

    static Stream<String> commands() {
        return HelpExamplesTest.commands()
                .map(command -> command.getCommandSpec().qualifiedName());
    }

    private static CommandLine command(String name) {
        return HelpExamplesTest.commands()
                .filter(one -> one.getCommandSpec().qualifiedName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Result help(String command, String option) {
        PrintStream before = System.err;
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        Result result;
        // picocli's warnings (a lone "%" in a description) go there, whatever stream a command has.
        System.setErr(new PrintStream(complaints, true, StandardCharsets.UTF_8));
        try {
            result = CommandLines.run(
                    (command + " " + option).replaceFirst("^berth ", "").split(" ", -1));
        } finally {
            System.setErr(before);
        }
        assertThat(complaints.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).startsWith("Usage: " + command).contains("--help");
        // An example is one line, however long.
        assertThat(result.out().lines().filter(line -> !line.matches("(berth|ssh) .*")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
        return result;
    }

    private static List<String> options(Result help) {
        return OPTION.matcher(help.out()).results().map(MatchResult::group).toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void showsAtMostFourteenOptions(String command) {
        Result result = help(command, "--help");
        List<OptionSpec> common = HelpPages.common(command(command).getCommandSpec());
        assertThat(common)
                .hasSizeLessThanOrEqualTo(MOST_OPTIONS)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(options(result)).as(result.out()).hasSize(common.size());
        int all = command(command).getCommandSpec().options().size();
        assertThat(result.out().contains("'" + command + " --help-all' shows")).isEqualTo(common.size() < all);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void showsAllOptionsWhenAsked(String command) {
        String all = help(command, "--help-all").out().replace("--[no-]", "--");
        for (OptionSpec option : command(command).getCommandSpec().options()) {
            assertThat(all).contains(option.longestName());
        }
        assertThat(options(help(command, "--help-all")))
                .hasSize(command(command).getCommandSpec().options().size());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void hasExamples(String command) {
        List<String> examples = HelpExamplesTest.examples(command(command));
        boolean main = WITH_THREE_EXAMPLES.contains(command.split(" ", -1)[1]);
        assertThat(examples).as(command).hasSizeGreaterThanOrEqualTo(main ? 3 : 1);
        String help = help(command, "--help").out().replaceAll("\\s+", "");
        assertThat(examples).allSatisfy(one -> assertThat(help).contains(one.replaceAll("\\s+", "")));
    }

    /** Not behind the colon of core:K, nor inside an example. */
    @ParameterizedTest
    @MethodSource("commands")
    void breaksLinesAtBlanksOnly(String command) {
        CommandSpec spec = command(command).getCommandSpec();
        String all = help(command, "--help-all").out();
        String description = spec.options().stream()
                .flatMap(option -> Stream.of(option.description()))
                .collect(Collectors.joining(" "));
        assertThat(all.lines().filter(line -> line.matches(".* \\w+:")).map(line -> line.replaceAll(".* ", "")))
                .allSatisfy(end -> assertThat(description).contains(end + " "));
        assertThat(all.lines()).containsAll(HelpExamplesTest.examples(command(command)));
    }

    @Test
    void helpIsACommandToo() {
        assertThat(CommandLines.run("help")).isEqualTo(CommandLines.run("--help"));
        assertThat(CommandLines.run("help", "run")).isEqualTo(CommandLines.run("run", "--help"));
        assertThat(CommandLines.run("help", "conf", "yarn")).isEqualTo(CommandLines.run("conf", "yarn", "--help"));
        assertThat(CommandLines.run("help", "run").exitCode()).isZero();
        assertThat(CommandLines.run("help", "help")).isEqualTo(CommandLines.run("--help"));
        // What follows a command is explained with it, and no command is started.
        assertThat(CommandLines.run("help", "split", "--into", "1", "--", "false"))
                .isEqualTo(CommandLines.run("split", "--help"));
        assertThat(CommandLines.run("help", "watch", "false")).isEqualTo(CommandLines.run("watch", "--help"));
    }

    @Test
    void berthGroupsItsCommands() {
        String help = CommandLines.run("--help").out();
        for (String name : Main.names()) {
            assertThat(help).containsPattern("(?m)^  " + name + " ");
        }
        Set<String> grouped = Set.copyOf(HelpGroup.commands());
        assertThat(Main.names().stream().filter(name -> !grouped.contains(name)).collect(Collectors.toSet()))
                .isEmpty();
        assertThat(help).contains("Look at a machine", "Place processes", "Configure", "Measure", "Carry");
    }

    @Test
    void berthAloneSaysHowToBegin() {
        Result result = CommandLines.run();
        assertThat(result.out())
                .contains("  berth topo ", "  berth doctor ", "  berth run ", "  berth watch ", "  berth compare ")
                .contains("'berth --help' lists all commands");
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(88));
        assertThat(result.err()).hasLineCount(1).contains("no command is given");
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
