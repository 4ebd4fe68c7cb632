package org.berth.drawing.internal.text;

import java.util.Arrays;

/** A sheet of characters with a style each; the last step decides on colour and ASCII. Not thread-safe. */
public final class Canvas {
    /**
     * What a character belongs to.
     *
     * @param sgr its SGR colour on a terminal
     * @param fills whether its blanks have that colour, too
     */
    public record Style(String sgr, boolean fills) {
        public static final Style PLAIN = new Style("", false);
        public static final Style BORDER = new Style("2", false);
        public static final Style TITLE = new Style("1", false);
        public static final Style MEMORY = new Style("35", false);
        public static final Style CACHE = new Style("36", false);
        public static final Style ALLOWED = new Style("1;32", false);
        public static final Style FORBIDDEN = new Style("2;31", false);
        public static final Style DEVICE = new Style("33", false);
        public static final Style NOTE = new Style("2", false);

        /** A background; colours repeat. */
        public static Style owner(int index) {
            return new Style(Palette.background(index), true);
        }
    }

    private static final String UNICODE = "─│╭╮╰╯┌┐└┘├┤┬┴┼┊·●○×…–";
    private static final String ASCII = "-|+++++++++++++:-*ox~-";
    private static final char FIRST_COMBINING = '\u0300';

    private final int width;
    private char[][] characters = new char[0][];
    private Style[][] styles = new Style[0][];
    private int height;

    /** An empty sheet; it grows downwards. */
    public Canvas(int width) {
        this.width = width;
    }

    /** Text that would leave the sheet at its right is cut. */
    public void text(int x, int y, String text, Style style) {
        row(y);
        for (int i = 0; i < text.length() && x + i < width; i++) {
            characters[y][x + i] = printable(text.charAt(i));
            styles[y][x + i] = style;
        }
    }

    /** A line of one character to the right. */
    public void horizontal(int x, int y, int length, char line) {
        text(x, y, String.valueOf(line).repeat(Math.max(0, length)), Style.BORDER);
    }

    /** A line of one character downwards. */
    public void vertical(int x, int y, int length, char line) {
        for (int i = 0; i < length; i++) {
            text(x, y + i, String.valueOf(line), Style.BORDER);
        }
    }

    /** A rounded frame with a title in its upper edge. */
    public void box(int x, int y, int boxWidth, int boxHeight, String title, Style titleStyle) {
        horizontal(x, y, boxWidth, '─');
        horizontal(x, y + boxHeight - 1, boxWidth, '─');
        vertical(x, y, boxHeight, '│');
        vertical(x + boxWidth - 1, y, boxHeight, '│');
        text(x, y, "╭", Style.BORDER);
        text(x + boxWidth - 1, y, "╮", Style.BORDER);
        text(x, y + boxHeight - 1, "╰", Style.BORDER);
        text(x + boxWidth - 1, y + boxHeight - 1, "╯", Style.BORDER);
        if (!title.isEmpty()) {
            text(x + 1, y, " ", Style.BORDER);
            text(x + 2, y, title, titleStyle);
            text(x + 2 + title.length(), y, " ", Style.BORDER);
        }
    }

    /** Cut to a width, with an ellipsis when something is lost. */
    public static String fit(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        return width <= 1 ? text.substring(0, Math.max(0, width)) : text.substring(0, width - 1) + "…";
    }

    /** The sheet as lines without trailing blanks. */
    public String render(boolean utf8, boolean colour) {
        StringBuilder out = new StringBuilder(height * (width + 1));
        for (int y = 0; y < height; y++) {
            int end = width;
            while (end > 0 && characters[y][end - 1] == ' ') {
                end--;
            }
            Style current = Style.PLAIN;
            for (int x = 0; x < end; x++) {
                Style own = styles[y][x];
                Style style = characters[y][x] == ' ' && !own.fills() && !current.fills() ? current : own;
                if (colour && !style.equals(current)) {
                    out.append("\u001b[0")
                            .append(style.sgr.isEmpty() ? "" : ";")
                            .append(style.sgr)
                            .append('m');
                    current = style;
                }
                out.append(utf8 ? characters[y][x] : ascii(characters[y][x]));
            }
            if (!current.equals(Style.PLAIN)) {
                out.append("\u001b[0m");
            }
            out.append('\n');
        }
        return out.toString();
    }

    /** Names come from firmware: what would move the cursor or take two columns would break the picture. */
    private static char printable(char c) {
        return Character.isISOControl(c) || (c >= FIRST_COMBINING && UNICODE.indexOf(c) < 0) ? '?' : c;
    }

    /** The nearest character in ASCII. */
    public static char ascii(char c) {
        if (c < 0x80) {
            return c;
        }
        int known = UNICODE.indexOf(c);
        return known >= 0 ? ASCII.charAt(known) : '?';
    }

    private void row(int y) {
        if (y >= characters.length) {
            int rows = Math.max(y + 1, characters.length * 2);
            characters = Arrays.copyOf(characters, rows);
            styles = Arrays.copyOf(styles, rows);
        }
        while (height <= y) {
            characters[height] = new char[width];
            styles[height] = new Style[width];
            Arrays.fill(characters[height], ' ');
            Arrays.fill(styles[height], Style.PLAIN);
            height++;
        }
    }

    /** The text in ASCII, each character of a drawing replaced by the nearest one. */
    public static String ascii(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            plain.append(ascii(text.charAt(i)));
        }
        return plain.toString();
    }
}
