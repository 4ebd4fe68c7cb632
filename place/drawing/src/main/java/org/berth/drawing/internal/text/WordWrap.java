package org.berth.drawing.internal.text;

import java.util.ArrayList;
import java.util.List;
import org.berth.observation.ForeignText;

/** Breaks sentences that hold long lists of numbers. Pure. */
public final class WordWrap {
    private WordWrap() {}

    /** Lines of at most that number of characters, broken after blanks, else after commas, else anywhere. */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        while (text.length() - from > width) {
            int at = breakAfter(text, from, from + width);
            lines.add(text.substring(from, at).stripTrailing());
            from = at;
            while (from < text.length() && Character.isWhitespace(text.charAt(from))) {
                from++;
            }
        }
        lines.add(text.substring(from));
        return lines;
    }

    /** Looks at one line only: names of others may be as long as an answer. */
    private static int breakAfter(String text, int from, int end) {
        for (int at = end; at > from; at--) {
            if (text.charAt(at) == ' ') {
                return at;
            }
        }
        for (int at = end; at > from; at--) {
            if (text.charAt(at - 1) == ',') {
                return at;
            }
        }
        return end;
    }

    /** Names come from files and devices: no control character of theirs reaches a terminal. */
    public static String plain(String text) {
        return ForeignText.clean(text);
    }

    /** The text behind a start of the same line, each further line indented as far. */
    public static void append(StringBuilder out, String start, String text, int columns) {
        String before = plain(start);
        for (String line : wrap(plain(text), Math.max(20, columns - start.length()))) {
            out.append((before + line).stripTrailing()).append('\n');
            before = " ".repeat(start.length());
        }
    }
}
