package org.berth.cli.shared.arguments;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.berth.cli.shared.CommandException;
import org.berth.placement.internal.NearestWord;

/** The value of an option that is a list, "none,core"; an empty, an unknown or a repeated word is a usage error. */
public final class WordList {
    private static final String COMMA = ",";

    private WordList() {}

    /** Parses a list in which every word names one of the known values. */
    public static <T> List<T> parse(String option, String text, Collection<T> known, Function<T, String> name) {
        return parse(option, text, word -> named(option, word, known, name));
    }

    /** Parses a list whose words the parser knows; it throws for others. */
    public static <T> List<T> parse(String option, String text, Function<String, T> parser) {
        return parse(option, text, COMMA, parser);
    }

    /**
     * Parses a list whose words may have a comma inside.
     *
     * @param separator a regular expression
     */
    public static <T> List<T> parse(String option, String text, String separator, Function<String, T> parser) {
        List<T> values = new ArrayList<>();
        for (String part : text.split(separator, -1)) {
            String word = part.strip();
            if (word.isEmpty()) {
                throw CommandException.usage(
                        option + " '" + text + "': a word is empty; write words with one comma between");
            }
            T value = parser.apply(word);
            if (values.contains(value)) {
                throw CommandException.usage(option + " " + text + ": '" + word + "' is given twice");
            }
            values.add(value);
        }
        return values;
    }

    /** The known value of that name; otherwise a usage error with all names. */
    public static <T> T named(String option, String word, Collection<T> known, Function<T, String> name) {
        return known.stream()
                .filter(value -> name.apply(value).equals(word))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(option + " '" + word + "': choose from "
                        + known.stream().map(name).collect(Collectors.joining(", "))
                        + NearestWord.hint(word, known.stream().map(name).toList())));
    }
}
