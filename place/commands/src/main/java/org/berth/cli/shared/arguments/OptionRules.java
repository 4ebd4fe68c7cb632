package org.berth.cli.shared.arguments;

import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** A command whose options need or exclude others: its errors, its manual page and its completion come from one table. */
public interface OptionRules {
    /** In the order of their importance: the first broken one is reported. */
    List<OptionRule> optionRules();

    /** The rules of a command, if it has any. */
    static List<OptionRule> of(CommandLine command) {
        return command.getCommand() instanceof OptionRules ruled ? ruled.optionRules() : List.of();
    }

    /** A usage error when options do not go together. */
    static void check(List<OptionRule> rules, ParseResult given) {
        rules.stream()
                .map(rule -> rule.error(given))
                .flatMap(Optional::stream)
                .findFirst()
                .ifPresent(error -> {
                    throw CommandException.usage(error);
                });
    }

    /** Runs the last command of a line once its rules hold; a request for help needs none. */
    static int execute(ParseResult line) {
        List<CommandLine> commands = line.asCommandLineList();
        CommandLine last = commands.get(commands.size() - 1);
        if (commands.stream().noneMatch(CommandLine::isUsageHelpRequested)) {
            try {
                check(of(last), last.getParseResult());
            } catch (CommandException e) {
                throw new ExecutionException(last, String.valueOf(e.getMessage()), e);
            }
        }
        return new RunLast().execute(line);
    }
}
