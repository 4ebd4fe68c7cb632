package org.berth.cli.bench.jobs;

import java.util.List;
import java.util.function.Function;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.WordList;
import org.berth.jobkit.JobException;
import org.berth.placement.internal.NearestWord;

/**
 * The option that names the arms of a comparison.
 *
 * @param option such as {@code --engines}
 * @param jobOptions what the job itself calls it; a comparison gives each arm its own
 * @param known the words that it tells, with remarks in brackets
 * @param parser of one word; it throws for words that it does not know
 */
public record ArmWords<T>(String option, List<String> jobOptions, String known, Function<String, T> parser) {
    public ArmWords {
        jobOptions = List.copyOf(jobOptions);
    }

    /** Parses "local,berth"; a wrong word, or a single one unless that is enough, is a usage error. */
    public List<T> parse(String list, boolean oneIsEnough) {
        List<T> arms = WordList.parse(option, list, word -> arm(list, word));
        if (arms.size() < 2 && !oneIsEnough) {
            throw CommandException.usage(option + " " + list + ": give at least two; the first one is the baseline");
        }
        return arms;
    }

    private T arm(String list, String word) {
        try {
            return parser.apply(word);
        } catch (JobException e) {
            List<String> words = List.of(known.replaceAll(" \\([^)]*\\)", "").split(", ", -1));
            String name = word.replaceFirst("\\+.*", "");
            String hint = words.contains(name) ? "" : NearestWord.hint(name, words);
            throw CommandException.usage(option + " " + list + ": " + e.getMessage() + hint);
        }
    }

    /** A usage error when what the arms differ in is also an option of the job. */
    public void check(List<String> options) {
        for (String given : jobOptions) {
            if (options.stream().anyMatch(word -> word.equals(given) || word.startsWith(given + "="))) {
                throw CommandException.usage(
                        given + " after --: the " + option.substring(2) + " are the arms; give " + option + " LIST");
            }
        }
    }
}
