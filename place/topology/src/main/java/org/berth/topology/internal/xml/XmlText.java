package org.berth.topology.internal.xml;

/** Writes elements in the form of hwloc: all attributes in one line, two blanks for each level. */
public final class XmlText {
    private final StringBuilder text = new StringBuilder(1 << 14);
    private int depth;
    private String lastOpened = "";

    /** The declaration, and the name of the grammar that hwloc gives. */
    public void header(String root, String grammar) {
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text.append("<!DOCTYPE ")
                .append(root)
                .append(" SYSTEM \"")
                .append(grammar)
                .append("\">\n");
    }

    /** Begins an element; {@link #end}, {@link #children} or {@link #text} must follow the attributes. */
    public XmlText open(String element) {
        text.append("  ".repeat(depth)).append('<').append(element);
        lastOpened = element;
        return this;
    }

    public XmlText with(String attribute, long value) {
        return with(attribute, Long.toString(value));
    }

    public XmlText with(String attribute, String value) {
        text.append(' ').append(attribute).append("=\"");
        escape(value);
        text.append('"');
        return this;
    }

    public void end() {
        text.append("/>\n");
    }

    public void children() {
        text.append(">\n");
        depth++;
    }

    void text(String content) {
        text.append('>');
        escape(content);
        text.append("</").append(lastOpened).append(">\n");
    }

    public void close(String element) {
        depth--;
        text.append("  ".repeat(depth)).append("</").append(element).append(">\n");
    }

    void info(String name, String value) {
        open("info").with("name", name).with("value", value).end();
    }

    /** Control characters other than these cannot be in XML 1.0, and do not come out of a parser. */
    private void escape(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\n' -> text.append("&#10;");
                case '\t' -> text.append("&#9;");
                case '\r' -> text.append("&#13;");
                case '"' -> text.append("&quot;");
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                default -> text.append(c);
            }
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
