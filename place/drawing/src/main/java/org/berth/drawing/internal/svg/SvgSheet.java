package org.berth.drawing.internal.svg;

/** An SVG document on a background, with the few elements that our pictures of machines use. Not thread-safe. */
public final class SvgSheet {
    private final Markup out = new Markup();

    /**
     * Begins the document.
     *
     * @param label what a screen reader says
     * @param css our own style sheet, with a rule for {@code .page}
     */
    public SvgSheet(String label, int width, int height, String css) {
        out.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "role",
                "img",
                "aria-label",
                label,
                "width",
                Integer.toString(width),
                "height",
                Integer.toString(height),
                "viewBox",
                "0 0 " + width + " " + height);
        out.style(css);
        out.empty("rect", "class", "page", "width", "100%", "height", "100%");
    }

    /** Begins a group of one CSS class with a tooltip (none when empty). */
    public void open(String style, String tooltip) {
        out.open("g", "class", style);
        if (!tooltip.isEmpty()) {
            out.leaf("title", tooltip);
        }
    }

    /** Ends a group. */
    public void close() {
        out.close();
    }

    /** A rectangle with round corners, in pixels. */
    public void rectangle(int x, int y, int width, int height) {
        out.empty(
                "rect",
                "x",
                Integer.toString(x),
                "y",
                Integer.toString(y),
                "width",
                Integer.toString(width),
                "height",
                Integer.toString(height),
                "rx",
                "3");
    }

    /** A line of text; the style is a CSS class or empty, y is the base line. */
    public void text(String style, int x, int y, String text) {
        String left = Integer.toString(x);
        String base = Integer.toString(y);
        if (style.isEmpty()) {
            out.leaf("text", text, "x", left, "y", base);
        } else {
            out.leaf("text", text, "x", left, "y", base, "class", style);
        }
    }

    /** Ends the document. */
    public String finish() {
        return out.close().finishXml();
    }
}
