package org.berth.cli.compare.output;

import org.berth.cli.shared.Terminal;

/** The width of paragraphs of text: that of the terminal, within what can be read. */
public final class ParagraphWidth {
    private static final int MIN = 60;
    private static final int MAX = 200;

    private ParagraphWidth() {}

    /** Without limit in a pipe or file, where programs look for whole sentences, unless COLUMNS asks for one. */
    public static int of(Terminal terminal) {
        int columns = terminal.lineColumns();
        return columns == Integer.MAX_VALUE ? columns : Math.min(MAX, Math.max(MIN, columns));
    }
}
