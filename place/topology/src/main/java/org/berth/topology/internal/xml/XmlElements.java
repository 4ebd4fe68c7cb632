package org.berth.topology.internal.xml;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.berth.text.Words;
import org.berth.topology.TopologyException;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the elements of a file; every failure becomes one line with a line number. Nothing outside the
 * input is ever read: DTDs are skipped, entities are not declared.
 */
public final class XmlElements {
    /** Deeper nesting than this is no machine: real files have about 20. */
    static final int MAX_NESTING = 200;

    /** A machine with 2,048 PUs has about 30,000. */
    static final int MAX_ELEMENTS = 500_000;

    /** hwloc has about 100 names of elements and attributes; the JDK's parser gets slow with millions of them. */
    static final int MAX_NAMES = 1_000;

    /** Characters of what the parser says. */
    private static final int LONGEST_REASON = 200;

    private final XMLStreamReader reader;
    private final Set<String> names = new HashSet<>();
    private int elements;
    private int nesting;

    public XmlElements(GuardedReader input) {
        // Always the JDK's own parser: data engines bring others, whose settings differ.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        // JDK 25 refuses more than 100 levels, 17 any number of them: ours is the same on every JDK.
        factory.setProperty("jdk.xml.maxElementDepth", "0");
        factory.setProperty("jdk.xml.elementAttributeLimit", "200");
        try {
            reader = factory.createXMLStreamReader(input);
        } catch (XMLStreamException e) {
            throw malformed(e);
        }
    }

    /** Moves to the next child element of the present one; false at its end. */
    public boolean nextChild() {
        while (true) {
            switch (next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    nesting++;
                    if (nesting > MAX_NESTING) {
                        throw fault("nested deeper than the limit of " + MAX_NESTING);
                    }
                    return true;
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    nesting--;
                    return false;
                }
                case XMLStreamConstants.END_DOCUMENT -> {
                    return false;
                }
                default -> {
                    // text, comments, the DOCTYPE line
                }
            }
        }
    }

    /** Leaves the present element, whatever is in it. */
    public void skip() {
        int outer = nesting - 1;
        while (nesting > outer) {
            nextChild();
        }
    }

    /** Reads on behind the root element, so that a truncated or doubled file is noticed. */
    public void finish() {
        while (next() != XMLStreamConstants.END_DOCUMENT) {
            // comments
        }
    }

    /** The text of the present element, which is left. Comments in it do not count for the guard of the input. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int event = next(); event != XMLStreamConstants.END_ELEMENT; event = next()) {
            if (event == XMLStreamConstants.START_ELEMENT) {
                throw fault("is inside an element that holds text alone");
            }
            if (reader.isCharacters()) {
                text.append(reader.getText());
            }
            if (text.length() > GuardedReader.MAX_CHARACTERS_BETWEEN_TAGS) {
                throw fault("has text longer than the limit of " + GuardedReader.MAX_CHARACTERS_BETWEEN_TAGS
                        + " characters");
            }
        }
        nesting--;
        return text.toString();
    }

    private int next() {
        int event;
        try {
            event = reader.next();
        } catch (XMLStreamException e) {
            throw malformed(e);
        } catch (RuntimeException e) {
            throw unreadable(e);
        }
        if (event == XMLStreamConstants.START_ELEMENT) {
            countElement(reader.getLocalName());
            for (int i = 0; i < reader.getAttributeCount(); i++) {
                countName(reader.getAttributeLocalName(i));
            }
        } else if (event == XMLStreamConstants.PROCESSING_INSTRUCTION) {
            countElement(reader.getPITarget());
        } else if (event == XMLStreamConstants.ENTITY_REFERENCE) {
            throw fault("entities are not accepted");
        }
        return event;
    }

    private void countElement(String name) {
        if (++elements > MAX_ELEMENTS) {
            throw fault("is one more than the limit of " + MAX_ELEMENTS + " elements");
        }
        countName(name);
    }

    private void countName(String name) {
        if (names.add(name) && names.size() > MAX_NAMES) {
            throw fault("uses more than the limit of " + MAX_NAMES + " different names");
        }
    }

    public String name() {
        return reader.getLocalName();
    }

    int line() {
        return reader.getLocation().getLineNumber();
    }

    @Nullable
    String attribute(String attribute) {
        return reader.getAttributeValue(null, attribute);
    }

    public Optional<String> optional(String attribute) {
        return Optional.ofNullable(attribute(attribute));
    }

    public String required(String attribute) {
        String value = attribute(attribute);
        if (value == null) {
            throw fault("attribute " + attribute + " is missing");
        }
        return value;
    }

    /** An unsigned number as hwloc writes them; {@code missing} when there is no such attribute. */
    long number(String attribute, long missing) {
        String value = attribute(attribute);
        if (value == null) {
            return missing;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw invalid(attribute, value, e);
        }
    }

    public int smallNumber(String attribute, int missing) {
        String value = attribute(attribute);
        if (value == null) {
            return missing;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw invalid(attribute, value, e);
        }
    }

    /** Applies a parser that throws IllegalArgumentException to a value of the present element. */
    public <T> T parse(String what, String value, Function<String, T> parser) {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw invalid(what, value, e);
        }
    }

    /** A failure of a parser of values. */
    TopologyException invalid(String what, String value, IllegalArgumentException e) {
        return e instanceof NumberFormatException
                ? fault(what + "=\"" + Words.quote(value) + "\" is not a number in range")
                : fault(what + ": " + e.getMessage());
    }

    public TopologyException fault(String message) {
        String element = reader.isStartElement() ? "<" + Words.quote(reader.getLocalName()) + "> " : "";
        return new TopologyException("line " + line() + ": " + element + message);
    }

    private static TopologyException malformed(XMLStreamException e) {
        // Nothing is said of the place while the parser looks at the first lines.
        int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNumber());
        if (e.getNestedException() instanceof IOException unreadable) {
            return new TopologyException(
                    "line " + line + ": " + Words.oneLine(String.valueOf(unreadable.getMessage()), LONGEST_REASON), e);
        }
        // The JDK puts the place, a line break and this word before what it has to say.
        String message = String.valueOf(e.getMessage());
        int own = message.indexOf("Message: ");
        String text = own < 0 ? message : message.substring(own + "Message: ".length());
        return new TopologyException(
                "line " + line + ": not well-formed XML: " + Words.oneLine(text, LONGEST_REASON), e);
    }

    /** The JDK's parser lets some of its own failures through as unchecked exceptions. */
    private TopologyException unreadable(RuntimeException e) {
        return new TopologyException(
                "line " + line() + ": not well-formed XML: "
                        + Words.oneLine(String.valueOf(e.getMessage()), LONGEST_REASON),
                e);
    }
}
