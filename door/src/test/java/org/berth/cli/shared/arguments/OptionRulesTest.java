package org.berth.cli.shared.arguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.cli.Main;
import org.berth.cli.shared.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Rules of a command of the test, and the tables of Berth's own commands. */
class OptionRulesTest {
    private static final List<OptionRule> RULES = List.of(
            OptionRule.excludes("--tea", "--coffee", ""),
            OptionRule.excludes("--cold", "--tea --coffee", "both are hot"),
            OptionRule.needs("--milk --sugar", "--tea --coffee", ""),
            OptionRule.needs("--lemon", "--tea=black|green", "others are spoilt"),
            OptionRule.needs("--tea=green|white|yellow --sugar", "--degrees", "it must not boil"));

    @Command(name = "drink")
    @SuppressWarnings("unused")
    private static final class Drink {
        @Option(names = "--tea", paramLabel = "KIND")
        private Optional<String> tea = Optional.empty();

        @Option(names = "--coffee")
        private boolean coffee;

        @Option(names = "--cold")
        private boolean cold;

        @Option(names = "--milk")
        private boolean milk;

        @Option(names = "--sugar")
        private boolean sugar;

        @Option(names = "--lemon")
        private boolean lemon;

        @Option(names = "--degrees", paramLabel = "N", defaultValue = "80")
        private int degrees;
    }

    private static void check(String line) {
        OptionRules.check(
                RULES, new CommandLine(new Drink()).parseArgs(line.isEmpty() ? new String[0] : line.split(" ", -1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "--tea red --milk", "--coffee --sugar --milk --degrees 80", "--tea black --lemon", "--cold"})
    void whatGoesTogetherPasses(String line) {
        assertThatCode(() -> check(line)).doesNotThrowAnyException();
    }

    /** A default value is none that the user gave. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --coffee --tea red  | --tea and --coffee exclude each other; choose one
            --cold --coffee     | --cold and --coffee exclude each other: both are hot
            --sugar             | --sugar needs --tea KIND or --coffee
            --lemon             | --lemon needs --tea black or green: others are spoilt
            --tea red --lemon   | --lemon needs --tea black or green: others are spoilt
            --tea green         | --tea green needs --degrees N: it must not boil
            """)
    void aBrokenRuleIsAUsageError(String line, String message) {
        assertThatThrownBy(() -> check(line))
                .isInstanceOf(CommandException.class)
                .hasMessage(message);
    }

    @Test
    void aRuleIsASentenceOfTheManual() {
        CommandSpec spec = new CommandLine(new Drink()).getCommandSpec();
        assertThat(RULES)
                .extracting(rule -> rule.sentence(spec))
                .containsExactly(
                        "--tea excludes --coffee.",
                        "--cold excludes --tea and --coffee: both are hot.",
                        "--milk and --sugar need --tea KIND or --coffee.",
                        "--lemon needs --tea black or green: others are spoilt.",
                        "--tea green, white or yellow and --sugar need --degrees N: it must not boil.");
    }

    @Test
    void exclusionHoldsInBothDirections() {
        assertThat(RULES.get(1).excludedBy("--cold")).containsExactly("--tea", "--coffee");
        assertThat(RULES.get(1).excludedBy("--coffee")).containsExactly("--cold");
        assertThat(RULES.get(1).excludedBy("--milk")).isEmpty();
        assertThat(RULES.get(2).excludedBy("--milk")).isEmpty();
        assertThat(OptionRule.excludes("--lemon", "--tea=red", "").excludedBy("--lemon"))
                .isEmpty();
    }

    static Stream<CommandLine> commands() {
        return Main.commandLine().getSubcommands().values().stream()
                .filter(command -> !OptionRules.of(command).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyOptionOfATableIsOneOfItsCommand(CommandLine command) {
        for (OptionRule rule : OptionRules.of(command)) {
            assertThat(Stream.of(rule.options(), rule.others()).flatMap(List::stream))
                    .allSatisfy(option -> assertThat(command.getCommandSpec().optionsMap())
                            .containsKey(option.replaceFirst("=.*", "")));
            assertThat(rule.sentence(command.getCommandSpec())).startsWith("--").endsWith(".");
        }
    }
}
