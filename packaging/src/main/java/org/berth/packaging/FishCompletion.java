package org.berth.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Completion for fish, which picocli has no generator for: commands, options, and values that are known. */
final class FishCompletion {
    private static final String SEEN = "__fish_seen_subcommand_from ";

    private FishCompletion() {}

    static String of(CommandLine berth) {
        List<String> lines = new ArrayList<>();
        lines.add("# Completion of berth for fish.");
        String first = "__fish_use_subcommand";
        for (Map.Entry<String, CommandLine> command : berth.getSubcommands().entrySet()) {
            lines.add("complete -c berth -f -n " + first + " -a " + command.getKey() + " -d "
                    + quoted(description(command.getValue())));
        }
        for (OptionSpec option : HelpText.shown(berth.getCommandSpec().options())) {
            lines.add(line(first, option));
        }
        for (CommandLine command : berth.getSubcommands().values()) {
            String condition = SEEN + command.getCommandName();
            String own = String.join(" ", command.getSubcommands().keySet());
            addOptions(lines, own.isEmpty() ? condition : condition + "; and not " + SEEN + own, command);
            for (CommandLine one : command.getSubcommands().values()) {
                lines.add("complete -c berth -f -n " + quoted(condition + "; and not " + SEEN + own) + " -a "
                        + one.getCommandName() + " -d " + quoted(description(one)));
                addOptions(lines, condition + "; and " + SEEN + one.getCommandName(), one);
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String description(CommandLine command) {
        return firstSentence(
                HelpText.ofCommand(command.getCommandSpec().usageMessage().description()));
    }

    private static void addOptions(List<String> lines, String condition, CommandLine command) {
        List<OptionRule> rules = OptionRules.of(command);
        for (OptionSpec option : HelpText.shown(command.getCommandSpec().options())) {
            lines.add(line(quoted(condition + unlessExcluded(option, rules)), option));
        }
    }

    /** Once an option is written, those that it excludes are not offered. */
    private static String unlessExcluded(OptionSpec option, List<OptionRule> rules) {
        List<String> others = rules.stream()
                .flatMap(rule -> rule.excludedBy(option.longestName()).stream())
                .distinct()
                .map(name -> name.substring(2))
                .toList();
        return others.isEmpty() ? "" : "; and not __fish_contains_opt " + String.join(" ", others);
    }

    private static String line(String condition, OptionSpec option) {
        StringBuilder line = new StringBuilder("complete -c berth -n " + condition);
        for (String name : option.names()) {
            line.append(HelpText.isShort(name) ? " -s " : " -l ").append(name.replaceFirst("^--?", ""));
        }
        if (option.arity().min() > 0) {
            line.append(" -r");
        }
        if (option.completionCandidates() != null) {
            line.append(" -a ").append(quoted(String.join(" ", option.completionCandidates())));
        }
        return line + " -d " + quoted(firstSentence(HelpText.ofArgument(option.description())));
    }

    /** Fish shows one line; the manual page has all of it. */
    private static String firstSentence(List<String> description) {
        String text = String.join(" ", description).strip();
        int end = text.indexOf(". ");
        return end < 0 ? text.replaceFirst("\\.$", "") : text.substring(0, end);
    }

    static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
