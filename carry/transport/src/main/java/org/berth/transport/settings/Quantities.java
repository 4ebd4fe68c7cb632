package org.berth.transport.settings;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers, sizes and times as users write them. Errors name the parameter. It is not part of the API. */
public final class Quantities {
    private static final Pattern WITH_UNIT = Pattern.compile("(\\d{1,15})\\s*([a-zA-Z]*)");

    private Quantities() {}

    public static int count(Parameter parameter, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw wrong(parameter, text, "write a number");
        }
    }

    /** 4096, 64k, 16m, 1g, with or without a B. */
    static long bytes(Parameter parameter, String text) {
        Matcher matcher = WITH_UNIT.matcher(text);
        if (matcher.matches()) {
            int shift = switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
                case "", "b" -> 0;
                case "k", "kb" -> 10;
                case "m", "mb" -> 20;
                case "g", "gb" -> 30;
                default -> -1;
            };
            long number = Long.parseLong(matcher.group(1));
            if (shift >= 0 && number <= Long.MAX_VALUE >> shift) {
                return number << shift;
            }
        }
        throw wrong(parameter, text, "write a size such as 64k, 16m or 1g");
    }

    /** 500ms, 30s, 2m; a number alone counts as milliseconds, as in Hadoop. */
    static Duration time(Parameter parameter, String text) {
        Matcher matcher = WITH_UNIT.matcher(text);
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            Duration time = switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
                case "", "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofNanos(-1);
            };
            if (!time.isNegative()) {
                return time;
            }
        }
        throw wrong(parameter, text, "write a time such as 500ms, 30s or 2m");
    }

    /** NAME=VALUE pairs with blanks between them. */
    static Map<String, String> pairs(Parameter parameter, String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String word : text.strip().split("\\s+", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                pairs.put(word.substring(0, equals), word.substring(equals + 1));
            } else if (!word.isEmpty()) {
                throw wrong(parameter, text, "write NAME=VALUE pairs with blanks between them");
            }
        }
        return pairs;
    }

    static IllegalArgumentException wrong(Parameter parameter, String text, String remedy) {
        return new IllegalArgumentException(parameter.key() + " '" + text + "': " + remedy);
    }
}
