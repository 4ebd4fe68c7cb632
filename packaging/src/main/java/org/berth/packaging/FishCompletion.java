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
    private FishCompletion() {}

    static String of(CommandLine berth) {
        List<String> lines = new ArrayList<>();
        lines.add("# Completion of berth for fish.");
        String first = "__fish_use_subcommand";
        for (Map.Entry<String, CommandLine> command : berth.getSubcommands().entrySet()) {
            String description = firstSentence(HelpText.ofCommand(
                    command.getValue().getCommandSpec().usageMessage().description()));
            lines.add("complete -c berth -f -n " + first + " -a " + command.getKey() + " -d " + quoted(description));
        }
        for (OptionSpec option : HelpText.shown(berth.getCommandSpec().options())) {
            lines.add(line(first, option));
        }
        for (Map.Entry<String, CommandLine> command : berth.getSubcommands().entrySet()) {
            String condition = "__fish_seen_subcommand_from " + command.getKey();
            List<OptionRule> rules = OptionRules.of(command.getValue());
            for (OptionSpec option :
                    HelpText.shown(command.getValue().getCommandSpec().options())) {
                lines.add(line(quoted(condition + unlessExcluded(option, rules)), option));
            }
        }
        return String.join("\n", lines) + "\n";
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
