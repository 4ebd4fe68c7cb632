package org.berth.cli.compare;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.berth.cli.compare.arms.ArmOptions;
import org.berth.cli.shared.CommonOptions;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth compare}: runs a command of the user under several arms, interleaved, and reports the differences. */
@CommonOptions({
    "--levels",
    "--threads",
    "--arm",
    "--runs",
    "--until-decided",
    "--metric",
    "--timeout",
    "--results",
    "--resume",
    "--json"
})
@Command(
        name = "compare",
        description = {
            "Run your command under several placements, in interleaved runs, and report ratios with confidence"
                    + " intervals and a verdict.",
            "The command is bound as a whole, or, in a JVM, by single threads (--rule names them). The last lines name the"
                    + " folder with raw results and logs. 'berth bench' compares jobs that come with Berth."
        },
        footer = {
            "",
            "berth compare -- java -jar job.jar",
            "berth compare --arm node=\"--domain numa\" --metric \"p99[ms]=p99 ([0-9.]+)\" -- ./load-test.sh",
            "berth compare --levels none --arm \"half=--level core --threads 1\" -- java -jar job.jar"
        })
public final class CompareCommand implements Callable<Integer>, OptionRules {
    @Mixin
    private CommandOptions command = new CommandOptions();

    @Mixin
    private ComparisonOptions comparison = new ComparisonOptions();

    private final Terminal terminal;

    public CompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return Stream.concat(
                        Stream.of(OptionRule.excludes(
                                "--balance-or-bind", "--levels --threads --rule --kernel", ArmOptions.OWN_ARMS)),
                        ComparisonOptions.RULES.stream())
                .toList();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return comparison.compare(terminal, command.work(comparison), false);
    }
}
