package org.berth.cli.shared;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.berth.text.ShellWord;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Old spellings of commands and options with the new ones. They work for one release, are in no help, and print one line. The words of
 * a line are changed before they are parsed, so that the commands know only the new spelling.
 */
public final class OldWords {
    /**
     * One old spelling.
     *
     * @param old a command, or a command with one of its options and the value of that; a value in capitals is any value, and a | stands between several
     * @param now what takes the place of these words, at the start of the line; it may have the value
     */
    public record Row(String old, String now) {
        private List<String> words() {
            return List.of(old.split(" ", -1));
        }

        private List<String> command() {
            return words().stream().takeWhile(word -> !word.startsWith("-")).toList();
        }

        private Optional<String> option() {
            return words().stream().filter(word -> word.startsWith("-")).findFirst();
        }

        private Optional<String> value() {
            return words().stream()
                    .dropWhile(word -> !word.startsWith("-"))
                    .skip(1)
                    .findFirst();
        }

        private boolean takes(String given) {
            return value().filter(value -> List.of(value.split("\\|", -1)).contains(given)
                            || (value.equals(value.toUpperCase(Locale.ROOT)) && !given.startsWith("-")))
                    .isPresent();
        }

        private String with(String text, String given) {
            return value().map(value -> text.replace(value, given)).orElse(text);
        }
    }

    /** All old spellings. */
    public static final List<Row> TABLE = List.of(
            new Row("spark-conf", "conf spark"),
            new Row("yarn-conf", "conf yarn"),
            new Row("compare --jobs", "bench"),
            new Row("compare --job JOB", "bench JOB"),
            new Row("compare --study STUDY", "study STUDY"),
            new Row("run --slots LEVEL", "run --level LEVEL"),
            new Row("split --slots LEVEL", "split --level LEVEL"),
            new Row("leases --directory DIR", "leases --leases DIR"),
            new Row("plan --policy hdfs-node", "plan --policy node"),
            new Row("plan --policy hdfs-dynamic|paper", "plan --policy interrupt"),
            new Row("split --into numa|package|l3", "split --domain numa|package|l3"),
            new Row("conf spark --into numa|package|l3", "conf spark --domain numa|package|l3"),
            new Row("conf yarn --into numa|package|l3", "conf yarn --domain numa|package|l3"));

    /**
     * A line in the new words.
     *
     * @param notes what to tell the user, a line each
     */
    public record Line(List<String> words, List<String> notes) {
        public Line {
            words = List.copyOf(words);
            notes = List.copyOf(notes);
        }
    }

    /** @param at index of the option in the line */
    private record Found(Row row, int at, int count, String value) {}

    private OldWords() {}

    /**
     * Replaces all old spellings of a line.
     *
     * @param commands makes the command of a name, or nothing where there is none
     */
    public static Line renew(List<String> line, Function<String, Optional<CommandLine>> commands) {
        List<String> words = line;
        List<String> notes = new ArrayList<>();
        for (Optional<Found> found = find(words, commands); found.isPresent(); found = find(words, commands)) {
            Found one = found.get();
            Row row = one.row();
            String value = ShellWord.quote(one.value());
            notes.add("berth: '" + row.with(row.old(), value) + "' is now '" + row.with(row.now(), value)
                    + "'; the old spelling goes with the next release");
            words = replaced(words, one);
        }
        return new Line(words, notes);
    }

    private static Optional<Found> find(List<String> words, Function<String, Optional<CommandLine>> commands) {
        int start = start(words);
        for (Row row : TABLE) {
            int end = start + row.command().size();
            if (end > words.size() || !words.subList(start, end).equals(row.command())) {
                continue;
            }
            if (row.option().isEmpty()) {
                return Optional.of(new Found(row, end, 0, ""));
            }
            Optional<Found> found = find(words, row, end, commands);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Found> find(
            List<String> words, Row row, int from, Function<String, Optional<CommandLine>> commands) {
        String option = row.option().orElseThrow();
        for (int i = from; i < words.size(); i++) {
            String word = words.get(i);
            Found found = null;
            if (row.value().isEmpty() && word.equals(option)) {
                found = new Found(row, i, 1, "");
            } else if (word.startsWith(option + "=") && row.takes(word.substring(option.length() + 1))) {
                found = new Found(row, i, 1, word.substring(option.length() + 1));
            } else if (word.equals(option) && i + 1 < words.size() && row.takes(words.get(i + 1))) {
                found = new Found(row, i, 2, words.get(i + 1));
            }
            if (found != null) {
                return i < end(words, from, row, commands) ? Optional.of(found) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** The first word of the command: behind options of 'berth' itself and behind 'help'. */
    private static int start(List<String> words) {
        int at = 0;
        while (at < words.size()
                && (words.get(at).startsWith("-") || words.get(at).equals("help"))) {
            at++;
        }
        return at;
    }

    /** The index at which the words of a command to start begin. */
    private static int end(List<String> words, int from, Row row, Function<String, Optional<CommandLine>> commands) {
        int separator = words.indexOf("--");
        int end = separator < 0 ? words.size() : separator;
        Optional<CommandLine> command = commands.apply(row.command().get(0)).filter(CommandLine::isStopAtPositional);
        for (int i = from; command.isPresent() && i < end; i++) {
            String word = words.get(i);
            if (!word.startsWith("-")) {
                return i;
            }
            OptionSpec option = command.get().getCommandSpec().findOption(word);
            boolean old = TABLE.stream()
                    .anyMatch(one -> one.command().equals(row.command())
                            && one.option().filter(word::equals).isPresent()
                            && one.value().isPresent());
            boolean value = old || (option != null && option.arity().min() > 0);
            i += value ? 1 : 0;
        }
        return end;
    }

    private static List<String> replaced(List<String> words, Found found) {
        int start = start(words);
        int size = found.row().command().size();
        List<String> renewed = new ArrayList<>(words.subList(0, start));
        for (String word : found.row().now().split(" ", -1)) {
            renewed.add(found.row().with(word, found.value()));
        }
        renewed.addAll(words.subList(start + size, found.at()));
        renewed.addAll(words.subList(found.at() + found.count(), words.size()));
        return Collections.unmodifiableList(renewed);
    }
}
