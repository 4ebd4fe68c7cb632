package org.berth.topology.internal.xml;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.berth.text.Words;
import org.berth.topology.TopologyException;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the elements of a file; every failure becomes one line with a line number. Nothing outside the input is
 * ever read.
 */
public final class XmlElements {
    /** Deeper nesting than this is no machine: real files have about 20. */
    static final int MAX_NESTING = 200;

    /** A machine with 2,048 PUs has about 30,000. */
    static final int MAX_ELEMENTS = 500_000;

    /** hwloc has about 100 names of elements and attributes; a set of millions of them is slow. */
    static final int MAX_NAMES = 1_000;

    private final XmlScanner scanner;
    private final Set<String> names = new HashSet<>();
    private XmlScanner.Event event = XmlScanner.Event.TEXT;
    private int elements;
    private int nesting;

    public XmlElements(GuardedReader input) {
        scanner = new XmlScanner(input);
    }

    /** Moves to the next child element of the present one; false at its end. */
    public boolean nextChild() {
        while (true) {
            switch (next()) {
                case START -> {
                    nesting++;
                    if (nesting > MAX_NESTING) {
                        throw fault("nested deeper than the limit of " + MAX_NESTING);
                    }
                    return true;
                }
                case END -> {
                    nesting--;
                    return false;
                }
                case END_OF_FILE -> {
                    return false;
                }
                default -> {
                    // text, instructions
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
        while (next() != XmlScanner.Event.END_OF_FILE) {
            // comments
        }
    }

    /** The text of the present element, which is left. Comments in it do not count for the guard of the input. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (next(); event != XmlScanner.Event.END; next()) {
            if (event == XmlScanner.Event.START) {
                throw fault("is inside an element that holds text alone");
            }
            if (event == XmlScanner.Event.TEXT) {
                text.append(scanner.text());
            }
            if (text.length() > GuardedReader.MAX_CHARACTERS_BETWEEN_TAGS) {
                throw fault("has text longer than the limit of " + GuardedReader.MAX_CHARACTERS_BETWEEN_TAGS
                        + " characters");
            }
        }
        nesting--;
        return text.toString();
    }

    private XmlScanner.Event next() {
        event = scanner.next();
        if (event == XmlScanner.Event.START) {
            countElement(scanner.name());
            for (String attribute : scanner.attributeNames()) {
                countName(attribute);
            }
        } else if (event == XmlScanner.Event.INSTRUCTION) {
            countElement(scanner.name());
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
        return scanner.name();
    }

    int line() {
        return scanner.line();
    }

    @Nullable
    String attribute(String attribute) {
        return scanner.attribute(attribute);
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
        String element = event == XmlScanner.Event.START ? "<" + Words.quote(scanner.name()) + "> " : "";
        return new TopologyException("line " + line() + ": " + element + message);
    }
}
