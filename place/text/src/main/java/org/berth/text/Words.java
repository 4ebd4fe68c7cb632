package org.berth.text;

import java.util.List;
import java.util.Locale;

/** Words of messages, tables and pictures: numbers of things, names of constants, joined names, texts cut to a length. Pure. */
public final class Words {
    /** Between the parts of a label. */
    public static final String SEPARATOR = " · ";

    /** Characters of an input that a message quotes. */
    private static final int LONGEST_QUOTE = 60;

    private static final String CUT = "...";

    private Words() {}

    /** "1 PU", "2 PUs". */
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /** A constant as users write it: {@code MEMORY_NODE} is "memory-node". */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The text with a capital first letter. */
    public static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** "a", "a and b", "a, b and c". */
    public static String and(List<String> names) {
        int last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    /** The text cut to a number of characters; the middle of a longer one is left out, as names often differ at their end. */
    public static String shorten(String text, int most) {
        int points = text.codePointCount(0, text.length());
        if (points <= most) {
            return text;
        }
        int head = most / 2;
        int tail = most - head - 1;
        return text.substring(0, text.offsetByCodePoints(0, head))
                + "…"
                + text.substring(text.offsetByCodePoints(text.length(), -tail));
    }

    /** The text on one line, with a blank for each character that {@link ForeignText} would not show. */
    public static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().map(c -> ForeignText.isObeyed(c) ? ' ' : c).forEach(line::appendCodePoint);
        return line.toString();
    }

    /** The same, cut to a number of characters, the last three of which then are dots. */
    public static String oneLine(String text, int most) {
        return oneLine(cut(text, most));
    }

    /** An input in a message, which is one line, while the input may be as long as a file; question marks as in ForeignText. */
    public static String quote(String text) {
        return ForeignText.clean(cut(text, LONGEST_QUOTE));
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = most - CUT.length();
        boolean splitsPair = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
        return text.substring(0, splitsPair ? end - 1 : end) + CUT;
    }
}
