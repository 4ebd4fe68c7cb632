package org.berth.cli.shared.arguments;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * What some options of a command need or exclude. An option is its name, or its name with some of its values, {@code
 * --policy=o2nts|o2ntc}.
 *
 * @param options each of which follows the rule
 * @param needs whether each needs one of the others; otherwise it excludes all of them
 * @param reason a clause for messages and manual; may be empty
 */
public record OptionRule(List<String> options, boolean needs, List<String> others, String reason) {
    public OptionRule {
        options = List.copyOf(options);
        others = List.copyOf(others);
    }

    /** Each of these options, with blanks between, needs one of the others. */
    public static OptionRule needs(String options, String others, String reason) {
        return new OptionRule(List.of(options.split(" ", -1)), true, List.of(others.split(" ", -1)), reason);
    }

    /** Each of these options, with blanks between, excludes all others. */
    public static OptionRule excludes(String options, String others, String reason) {
        return new OptionRule(List.of(options.split(" ", -1)), false, List.of(others.split(" ", -1)), reason);
    }

    /** The error of a command line that breaks the rule. */
    Optional<String> error(ParseResult given) {
        Optional<String> other =
                others.stream().filter(one -> isGiven(one, given)).findFirst();
        return options.stream()
                .filter(option -> isGiven(option, given) && needs == other.isEmpty())
                .findFirst()
                .map(option -> other.map(one -> text(option, given) + " and " + text(one, given) + " exclude each other"
                                + why("; choose one"))
                        .orElseGet(() -> text(option, given) + " needs " + choice(given.commandSpec()) + why("")));
    }

    /** The rule as one sentence. */
    public String sentence(CommandSpec spec) {
        String verb = (needs ? " need" : " exclude") + (options.size() == 1 ? "s " : " ");
        return joined(options.stream().map(OptionRule::text).toList(), "and") + verb
                + (needs
                        ? choice(spec)
                        : joined(others.stream().map(OptionRule::text).toList(), "and")) + why("") + ".";
    }

    /** Names of the options that this one excludes, whatever their values are. */
    public List<String> excludedBy(String name) {
        boolean first = options.contains(name);
        return needs || !(first || others.contains(name))
                ? List.of()
                : (first ? others : options)
                        .stream().filter(one -> values(one).isEmpty()).toList();
    }

    private String why(String otherwise) {
        return reason.isEmpty() ? otherwise : ": " + reason;
    }

    /** "--loopback or --peer HOST:PORT". */
    private String choice(CommandSpec spec) {
        return joined(
                others.stream()
                        .map(other -> text(other) + label(other, spec.findOption(name(other))))
                        .toList(),
                "or");
    }

    private static String label(String option, OptionSpec spec) {
        return spec.arity().min() == 0 || !values(option).isEmpty() ? "" : " " + spec.paramLabel();
    }

    private static boolean isGiven(String option, ParseResult given) {
        OptionSpec found = given.matchedOption(name(option));
        List<String> values = values(option);
        return found != null
                && (values.isEmpty() || found.originalStringValues().stream().anyMatch(values::contains));
    }

    /** An option that counts with some values only stands with that of the user. */
    private static String text(String option, ParseResult given) {
        return values(option).isEmpty()
                ? option
                : name(option) + " "
                        + given.matchedOption(name(option))
                                .originalStringValues()
                                .get(0);
    }

    private static String text(String option) {
        List<String> values = values(option);
        return values.isEmpty() ? option : name(option) + " " + joined(values, "or");
    }

    private static String name(String option) {
        return option.replaceFirst("=.*", "");
    }

    private static List<String> values(String option) {
        return option.contains("=") ? List.of(option.replaceFirst(".*=", "").split("\\|", -1)) : List.of();
    }

    /** "a, b and c". */
    private static String joined(List<String> words, String last) {
        int end = words.size() - 1;
        return end == 0 ? words.get(0) : String.join(", ", words.subList(0, end)) + " " + last + " " + words.get(end);
    }
}
