package org.berth.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.IndexSet;
import org.berth.topology.NodeSet;

/** Reads the text of {@link PlanText}, strictly: a plan that is not understood whole must not bind anything. */
final class PlanParser {
    /** Five digits are beyond every kernel; without a limit one number could ask for gigabytes of bits. */
    private static final Pattern LIST = Pattern.compile("(\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*+)?");

    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,8}");

    private final String[] lines;
    private int next;
    private String line = "";

    PlanParser(String text) {
        lines = text.split("\n", -1);
    }

    PlacementPlan parse() {
        try {
            return plan();
        } catch (IllegalArgumentException problem) {
            throw failure(String.valueOf(problem.getMessage()), problem);
        } catch (PlacementException problem) {
            throw failure(String.valueOf(problem.getMessage()), problem);
        }
    }

    private PlacementPlan plan() {
        advance();
        requireVersion(value(PlanText.MAGIC));
        AffinityLevel level = oneOf("level", AffinityLevel::parse);
        MemoryMode memory = oneOf("memory", MemoryMode::parse);
        CpuSet allowed = cpus(valueOfNextLine("allowed"));
        boolean oversubscribed = yesOrNo(valueOfNextLine("oversubscribed"));
        advance();
        List<String> notes = all("note", note -> note);
        List<ThreadRule> rules = all("rule", PlanParser::rule);
        List<Slot> slots = all("slot", PlanParser::slot);
        if (!atEnd()) {
            throw new PlacementException("'" + Words.quote(firstWord()) + "' is unknown or out of order here");
        }
        return PlacementPlan.of(level, memory, allowed, slots)
                .withOversubscribed(oversubscribed)
                .withRules(rules)
                .withNotes(notes);
    }

    private static void requireVersion(String version) {
        if (!version.equals(String.valueOf(PlanText.VERSION))) {
            throw new PlacementException("plan version '" + Words.quote(version) + "' is not " + PlanText.VERSION
                    + ", the one that is understood here: use one version of Berth to write and to read it");
        }
    }

    private static ThreadRule rule(String text) {
        Fields fields = new Fields(text);
        String role = fields.word("role");
        return new ThreadRule(fields.rest("glob"), role);
    }

    private static Slot slot(String text) {
        Fields fields = new Fields(text);
        int index = number(fields.word("index"));
        int worker = number(fields.word("worker"));
        int thread = number(fields.word("thread"));
        String role = fields.word("role");
        CpuSet cpus = cpus(fields.word("cpus"));
        NodeSet nodes = list(fields.word("nodes"), NodeSet::parseList);
        return Slot.of(index, cpus)
                .withThread(worker, thread)
                .withRole(role)
                .withMemoryNodes(nodes)
                .withReason(fields.rest("reason"));
    }

    private <E> E oneOf(String key, Function<String, E> parser) {
        String word = valueOfNextLine(key);
        E choice = parser.apply(word);
        if (!word.equals(word.toLowerCase(Locale.ROOT))) {
            throw new PlacementException(key + " '" + word + "' must be in lower case");
        }
        return choice;
    }

    private static boolean yesOrNo(String word) {
        if (!word.equals("yes") && !word.equals("no")) {
            throw new PlacementException("'" + Words.quote(word) + "' is neither yes nor no");
        }
        return word.equals("yes");
    }

    private static CpuSet cpus(String text) {
        return list(text, CpuSet::parseList);
    }

    private static <S extends IndexSet<S>> S list(String text, Function<String, S> parser) {
        if (!LIST.matcher(text).matches()) {
            throw new PlacementException(
                    "'" + Words.quote(text) + "' is not a list such as 0-3,8 with numbers up to 99999");
        }
        return parser.apply(text);
    }

    private static int number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw new PlacementException("'" + Words.quote(text) + "' is not a plain number");
        }
        return Integer.parseInt(text);
    }

    private <T> List<T> all(String key, Function<String, T> reader) {
        List<T> result = new ArrayList<>();
        while (!atEnd() && firstWord().equals(key)) {
            result.add(reader.apply(value(key)));
            advance();
        }
        return result;
    }

    private String valueOfNextLine(String key) {
        advance();
        return value(key);
    }

    /** The rest of the present line behind the key and one space. */
    private String value(String key) {
        if (atEnd()) {
            throw new PlacementException("the text ends where '" + key + "' is expected");
        }
        if (!firstWord().equals(key)) {
            throw new PlacementException("'" + Words.quote(firstWord()) + "' stands where '" + key + "' should");
        }
        return line.length() > key.length() ? line.substring(key.length() + 1) : "";
    }

    private String firstWord() {
        int space = line.indexOf(' ');
        return space < 0 ? line : line.substring(0, space);
    }

    private void advance() {
        while (next < lines.length) {
            line = lines[next++];
            if (!line.isEmpty() && line.charAt(0) != '#') {
                return;
            }
        }
        next = lines.length + 1;
        line = "";
    }

    private boolean atEnd() {
        return next > lines.length;
    }

    private PlacementException failure(String message, Throwable cause) {
        String where = atEnd() ? "plan: " : "plan line " + next + ": ";
        return new PlacementException(where + message, cause);
    }

    /** The {@code key=value} parts of a line, which stand in a fixed order. */
    private static final class Fields {
        private String remaining;

        Fields(String text) {
            remaining = text;
        }

        String word(String key) {
            String text = rest(key);
            int space = text.indexOf(' ');
            if (space < 0) {
                throw new PlacementException("the line ends after '" + key + "='");
            }
            remaining = text.substring(space + 1);
            return text.substring(0, space);
        }

        String rest(String key) {
            if (!remaining.startsWith(key + "=")) {
                throw new PlacementException("'" + key + "=' is missing or out of order");
            }
            return remaining.substring(key.length() + 1);
        }
    }
}
