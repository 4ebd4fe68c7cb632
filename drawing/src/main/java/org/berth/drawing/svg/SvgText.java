package org.berth.drawing.svg;

/** The elements of SVG that our pictures use, escaped. Not thread-safe. */
public final class SvgText {
    private final StringBuilder svg = new StringBuilder(1 << 16);

    /** Opens the document. */
    public SvgText(String label, int width, int height, String style) {
        svg.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"")
                .append(escape(label));
        svg.append("\" width=\"").append(width).append("\" height=\"").append(height);
        svg.append("\" viewBox=\"0 0 ").append(width).append(' ').append(height).append("\">\n");
        svg.append("<style>\n").append(style).append("</style>\n");
        svg.append("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
    }

    /** A group of one CSS class with a tooltip (none when empty). */
    public void open(String style, String tooltip) {
        svg.append("<g class=\"").append(style).append("\">");
        if (!tooltip.isEmpty()) {
            svg.append("<title>").append(escape(tooltip)).append("</title>");
        }
    }

    public void close() {
        svg.append("</g>\n");
    }

    public void rectangle(int x, int y, int width, int height) {
        svg.append("<rect x=\"").append(x).append("\" y=\"").append(y);
        svg.append("\" width=\"")
                .append(width)
                .append("\" height=\"")
                .append(height)
                .append("\" rx=\"3\"/>");
    }

    /** The style is a CSS class or empty; y is the base line. */
    public void text(String style, int x, int y, String text) {
        svg.append("<text x=\"").append(x).append("\" y=\"").append(y).append('"');
        if (!style.isEmpty()) {
            svg.append(" class=\"").append(style).append('"');
        }
        svg.append('>').append(escape(text)).append("</text>");
    }

    /** Closes the document. */
    public String finish() {
        return svg.append("</svg>\n").toString();
    }

    /** XML allows few control characters; names from firmware may hold any. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : '?');
            }
        }
        return escaped.toString();
    }

    private static boolean isAllowed(int c) {
        boolean loneSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return !Character.isISOControl(c) && !loneSurrogate && c != 0xFFFE && c != 0xFFFF;
    }
}
