package org.berth.cli.split;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import org.berth.placement.internal.NearestWord;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.text.Bytes;

/**
 * Words of a command with placeholders in braces, which each process has values of its own for. {@code {9092+i}} is a number for
 * each process, such as a port, and {@code {9092+i*10}} leaves room between two. Doubled braces stand for themselves.
 */
public final class Placeholders {
    static final String KNOWN = "{i} (index from 0), {n} (number of processes), {cpus}, {cpucount}, {node}, {heap},"
            + " {BASE+i} and {BASE+i*STEP} (numbers, such as ports)";

    private static final Pattern NUMBER = Pattern.compile("(\\d{1,9})\\+i(?:\\*(\\d{1,9}))?");
    private static final String PREFIX = "BERTH_SPLIT_";

    /** Their names with the variables of the environment that hold the same. */
    private static final Map<String, String> VARIABLES = new LinkedHashMap<>();

    static {
        VARIABLES.put("i", PREFIX + "INDEX");
        VARIABLES.put("n", PREFIX + "COUNT");
        VARIABLES.put("cpus", PREFIX + "CPUS");
        VARIABLES.put("cpucount", PREFIX + "CPU_COUNT");
        VARIABLES.put("node", PREFIX + "NODES");
        VARIABLES.put("heap", PREFIX + "HEAP");
    }

    private final ShapePart part;
    private final int count;

    /** @param count how many processes there are */
    Placeholders(ShapePart part, int count) {
        this.part = part;
        this.count = count;
    }

    /** A usage error for a word that cannot be expanded for some process. */
    public static void check(List<String> words) {
        words.forEach(word -> expand(word, name -> {
            if (!VARIABLES.containsKey(name) && !NUMBER.matcher(name).matches()) {
                throw unknown(word, name);
            }
            return "";
        }));
    }

    /** The words with the values of this process; a usage error for a heap where there is no memory for one. */
    List<String> expand(List<String> words) {
        return words.stream().map(word -> expand(word, this::value)).toList();
    }

    /** The values as variables of the environment; without a heap where there is no memory for one. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        VARIABLES.forEach((name, variable) -> {
            if (!name.equals("heap") || part.heapBytes() > 0) {
                environment.put(variable, value(name));
            }
        });
        return environment;
    }

    private String value(String name) {
        return switch (name) {
            case "i" -> Integer.toString(part.index());
            case "n" -> Integer.toString(count);
            case "cpus" -> part.cpus().toString();
            case "cpucount" -> Integer.toString(part.cpus().size());
            case "node" -> part.memoryNodes().toString();
            case "heap" -> heap();
            default -> number(name);
        };
    }

    private String heap() {
        if (part.heapBytes() == 0) {
            throw CommandException.usage(
                    "{heap}: process " + part.index() + " would have " + Bytes.text(part.memoryBytes())
                            + " of memory, too little for a heap; give --heap, or fewer parts");
        }
        return part.heapWord();
    }

    private String number(String name) {
        Matcher number = NUMBER.matcher(name);
        if (!number.matches()) {
            throw unknown("{" + name + "}", name);
        }
        BigInteger step = new BigInteger(number.group(2) == null ? "1" : number.group(2));
        return new BigInteger(number.group(1))
                .add(step.multiply(BigInteger.valueOf(part.index())))
                .toString();
    }

    private static String expand(String word, Function<String, String> values) {
        StringBuilder result = new StringBuilder();
        int position = 0;
        while (position < word.length()) {
            char c = word.charAt(position);
            boolean doubled = position + 1 < word.length() && word.charAt(position + 1) == c;
            if ((c == '{' || c == '}') && doubled) {
                result.append(c);
                position += 2;
            } else if (c == '{') {
                int end = word.indexOf('}', position);
                if (end < 0) {
                    throw lone(word, c);
                }
                result.append(values.apply(word.substring(position + 1, end)));
                position = end + 1;
            } else if (c == '}') {
                throw lone(word, c);
            } else {
                result.append(c);
                position++;
            }
        }
        return result.toString();
    }

    private static CommandException lone(String word, char brace) {
        return CommandException.usage("'" + word + "': a lone " + brace + "; write " + brace + brace
                + " for the character itself, or a placeholder: " + KNOWN);
    }

    private static CommandException unknown(String word, String name) {
        String nearest = NearestWord.of(name, new ArrayList<>(VARIABLES.keySet()))
                .map(one -> "did you mean {" + one + "}? ")
                .orElse("");
        return CommandException.usage("'" + word + "': unknown placeholder {" + name + "}; " + nearest + "there are "
                + KNOWN + "; write {{ and }} for braces themselves");
    }
}
