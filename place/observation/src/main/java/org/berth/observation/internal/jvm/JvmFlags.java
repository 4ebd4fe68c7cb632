package org.berth.observation.internal.jvm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The settings of a HotSpot JVM that differ from its defaults. Immutable.
 *
 * @param values by the flag's name; "true" and "false" for switches
 * @param complete whether the JVM itself reported them; otherwise they are from its command line alone, without its own
 *     choices and without its environment
 * @since 0.1.0
 */
public record JvmFlags(Map<String, String> values, boolean complete) {
    public JvmFlags {
        values = Map.copyOf(values);
    }

    /** From what {@code jcmd PID VM.flags} prints: all that differ, those that the JVM chose too. */
    public static JvmFlags ofVmFlags(String text) {
        return new JvmFlags(parse(List.of(text.split("\\s+", -1))), true);
    }

    /** From the command line; options of the program behind the main class are not taken for the JVM's. */
    public static JvmFlags ofArguments(List<String> arguments) {
        return new JvmFlags(parse(JvmOptions.of(arguments)), false);
    }

    /** Whether a switch is on; empty when it is not given, which for complete flags means its default. */
    public Optional<Boolean> isOn(String name) {
        return Optional.ofNullable(values.get(name)).map(Boolean::valueOf);
    }

    /** A number or size; empty when it is not given. */
    public OptionalLong number(String name) {
        String text = values.get(name);
        return text == null ? OptionalLong.empty() : sizeBytes(text);
    }

    private static Map<String, String> parse(List<String> words) {
        Map<String, String> values = new TreeMap<>();
        for (String word : words) {
            if (word.startsWith("-XX:+") || word.startsWith("-XX:-")) {
                values.put(word.substring(5), Boolean.toString(word.charAt(4) == '+'));
            } else if (word.startsWith("-XX:") && word.indexOf('=') > 0) {
                values.put(word.substring(4, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
            } else if (word.startsWith("-Xmx")) {
                values.put("MaxHeapSize", word.substring(4));
            }
        }
        return values;
    }

    /** 512m, 4G, 1073741824. */
    private static OptionalLong sizeBytes(String text) {
        if (!text.matches("\\d{1,15}[kKmMgGtT]?")) {
            return OptionalLong.empty();
        }
        int unit = "kmgt".indexOf(Character.toLowerCase(text.charAt(text.length() - 1)));
        String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
        long number = Long.parseLong(digits);
        int shift = 10 * (unit + 1);
        return number <= Long.MAX_VALUE >> shift ? OptionalLong.of(number << shift) : OptionalLong.empty();
    }
}
