package org.berth.drawing.internal.svg;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.berth.text.ForeignText;

/**
 * Writes SVG, or HTML with inline SVG, that is well-formed XML. Text and values of attributes may be anything; names of
 * elements and attributes are our own. Not thread-safe.
 */
public final class Markup {
    private static final XMLOutputFactory WRITERS = XMLOutputFactory.newDefaultFactory();

    private final StringWriter out = new StringWriter(1 << 16);
    private final XMLStreamWriter xml;
    private int open;

    /** Begins an empty document. */
    public Markup() {
        try {
            xml = WRITERS.createXMLStreamWriter(out);
        } catch (XMLStreamException e) {
            throw new IllegalStateException("no XML writer", e);
        }
    }

    /** A step of the writer, which cannot fail: the text stays in memory. */
    private interface Step {
        void run() throws XMLStreamException;
    }

    private Markup write(Step step) {
        try {
            step.run();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    /**
     * Begins an element.
     *
     * @param attributes names and values, alternating */
    public Markup open(String element, String... attributes) {
        open++;
        return write(() -> {
            xml.writeStartElement(element);
            attributes(attributes);
        });
    }

    /** Ends the element that was opened last. */
    public Markup close() {
        open--;
        return write(() -> {
            xml.writeEndElement();
            xml.writeCharacters("\n");
        });
    }

    /** Adds text; what cannot be printed is replaced. */
    public Markup text(String text) {
        return write(() -> xml.writeCharacters(printable(text)));
    }

    /** An element that holds nothing but text; it may be empty text, which XML and HTML write differently otherwise. */
    public Markup leaf(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    /** An element of SVG without content, or one of HTML that has no end tag. */
    public Markup empty(String element, String... attributes) {
        return write(() -> {
            xml.writeEmptyElement(element);
            attributes(attributes);
            xml.writeCharacters("\n");
        });
    }

    /** Adds our own style sheet, which must hold none of {@code <>&}. */
    public Markup style(String css) {
        return leaf("style", "\n" + css);
    }

    /** The document as HTML; everything that was opened must be closed. */
    public String finish() {
        return "<!DOCTYPE html>\n" + closed();
    }

    /** The document as XML; everything that was opened must be closed. */
    public String finishXml() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + closed();
    }

    private String closed() {
        if (open != 0) {
            throw new IllegalStateException(open + " elements are not closed");
        }
        write(xml::flush);
        return out.toString();
    }

    private void attributes(String... attributes) throws XMLStreamException {
        for (int i = 0; i < attributes.length; i += 2) {
            xml.writeAttribute(attributes[i], printable(attributes[i + 1]));
        }
    }

    /** A number for SVG, at most two digits behind the point. */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** A share of the width for SVG. */
    public static String percent(double value) {
        return number(value) + "%";
    }

    /** Line ends stay; other control characters, and those that turn the direction of text around, are replaced. */
    private static String printable(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> safe.appendCodePoint(c == '\n' || isPlain(c) ? c : '\uFFFD'));
        return safe.toString();
    }

    private static boolean isPlain(int c) {
        return Character.isDefined(c) && !ForeignText.isObeyed(c) && Character.getType(c) != Character.FORMAT;
    }
}
