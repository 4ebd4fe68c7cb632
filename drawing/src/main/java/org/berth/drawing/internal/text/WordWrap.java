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
        String rest = text;
        while (rest.length() > width) {
            int at = rest.lastIndexOf(' ', width);
            if (at <= 0) {
                at = rest.lastIndexOf(',', width - 1) + 1;
            }
            if (at <= 0) {
                at = width;
            }
            lines.add(rest.substring(0, at).stripTrailing());
            rest = rest.substring(at).stripLeading();
        }
        lines.add(rest);
        return lines;
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
