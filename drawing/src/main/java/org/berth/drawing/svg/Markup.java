package org.berth.drawing.svg;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes HTML with inline SVG that is well-formed XML too. What comes from outside goes through {@link #escape}; only
 * names of elements and attributes are written as they are. Not thread-safe.
 */
public final class Markup {
    private final StringBuilder out = new StringBuilder(1 << 16);
    private final Deque<String> open = new ArrayDeque<>();

    /** @param attributes names and values in turns */
    public Markup open(String element, String... attributes) {
        start(element, attributes);
        out.append('>');
        open.push(element);
        return this;
    }

    public Markup close() {
        out.append("</").append(open.pop()).append(">\n");
        return this;
    }

    public Markup text(String text) {
        out.append(escape(text));
        return this;
    }

    /** An element that holds nothing but text; it may be empty text, which XML and HTML write differently otherwise. */
    public Markup leaf(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    /** For elements of SVG and those of HTML that have no end tag. */
    public Markup empty(String element, String... attributes) {
        start(element, attributes);
        out.append("/>\n");
        return this;
    }

    /** Our own style sheet, which must hold neither {@code <} nor {@code &}. */
    public Markup style(String css) {
        out.append("<style>\n").append(css).append("</style>\n");
        return this;
    }

    /** The document; everything that was opened must be closed. */
    public String finish() {
        return "<!DOCTYPE html>\n" + closed();
    }

    /** The same for a document that is no HTML. */
    public String finishXml() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + closed();
    }

    private String closed() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
        return out.toString();
    }

    private void start(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escape(attributes[i + 1]))
                    .append('"');
        }
    }

    /** A number for SVG, at most two digits behind the point. */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    public static String percent(double value) {
        return number(value) + "%";
    }

    /** Line ends stay; other control characters, and those that turn the direction of text around, are replaced. */
    static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\n' -> safe.append('\n');
                default -> safe.appendCodePoint(isPlain(c) ? c : '\uFFFD');
            }
        });
        return safe.toString();
    }

    private static boolean isPlain(int c) {
        int type = Character.getType(c);
        return Character.isDefined(c)
                && !Character.isISOControl(c)
                && type != Character.SURROGATE
                && type != Character.FORMAT;
    }

    /** At most so many characters; of a longer text the middle is left out, as names often differ at their end. */
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
}
