package org.berth.cli.compare.output;

import java.util.List;
import java.util.stream.Stream;
import org.berth.cli.shared.Terminal;
import org.berth.text.WordWrap;

/** The width of paragraphs of text: that of the terminal, within what can be read. */
public final class ParagraphWidth {
    private static final int MIN = 60;
    private static final int MAX = 200;

    private ParagraphWidth() {}

    /** An answer, whose first line is a sentence; the others are commands and settings to copy, and stay whole. */
    public static List<String> ofAnswer(List<String> lines, Terminal terminal) {
        return Stream.concat(
                        lines.stream().limit(1).flatMap(line -> WordWrap.wrap(line, of(terminal)).stream()),
                        lines.stream().skip(1))
                .toList();
    }

    /** Without limit in a pipe or file, where programs look for whole sentences, unless COLUMNS asks for one. */
    public static int of(Terminal terminal) {
        int columns = terminal.lineColumns();
        return columns == Integer.MAX_VALUE ? columns : Math.min(MAX, Math.max(MIN, columns));
    }
}
