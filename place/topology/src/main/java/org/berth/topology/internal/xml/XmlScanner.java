package org.berth.topology.internal.xml;

import java.io.Reader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.berth.text.Words;
import org.berth.topology.TopologyException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the XML that hwloc writes: elements, attributes and text, with the five entities and numbers of characters that XML has itself.
 * Whatever else there is in XML (other entities, declarations in a DOCTYPE) is refused. What is read here is well-formed XML 1.0 for any
 * other parser, which a test asks the JDK's.
 *
 * <p>The JDK's parser takes 17 ms of the first discovery of a JVM, which is 130 of its classes; this one takes 1 ms.
 *
 * @see <a href="https://www.w3.org/TR/xml/">XML 1.0</a>
 */
final class XmlScanner {
    /** What was found. */
    enum Event {
        START,
        END,
        TEXT,
        INSTRUCTION,
        END_OF_FILE
    }

    /** hwloc's objects have about 20. */
    private static final int MAX_ATTRIBUTES = 200;

    private static final int END_OF_INPUT = XmlCharacters.END_OF_INPUT;
    private static final String USUAL_DECLARATION = " version=\"1.0\" encoding=\"UTF-8\"";
    private static final String DECLARATION = "\\s+version\\s*=\\s*(\"1\\.0\"|'1\\.0')"
            + "(\\s+encoding\\s*=\\s*(\"[A-Za-z][\\w.-]*\"|'[A-Za-z][\\w.-]*'))?"
            + "(\\s+standalone\\s*=\\s*(\"(yes|no)\"|'(yes|no)'))?\\s*";

    private final XmlCharacters input;
    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<String> attributeNames = new ArrayList<>();
    private final List<String> attributeValues = new ArrayList<>();
    private String name = "";
    private boolean endsAtOnce;
    private boolean rootSeen;
    private boolean doctypeSeen;
    private boolean begun;

    XmlScanner(Reader input) {
        this.input = new XmlCharacters(input);
    }

    /** The line of the last character that was read. */
    int line() {
        return input.line();
    }

    /** The name of the last element that began or ended, or of the last instruction. */
    String name() {
        return name;
    }

    /** The last text, with what its entities stand for. */
    String text() {
        return text.toString();
    }

    /** Names of the attributes of the last element that began. */
    List<String> attributeNames() {
        return attributeNames;
    }

    @Nullable
    String attribute(String attribute) {
        int index = attributeNames.indexOf(attribute);
        return index < 0 ? null : attributeValues.get(index);
    }

    /** @throws TopologyException one line, with its line number */
    Event next() {
        if (endsAtOnce) {
            endsAtOnce = false;
            name = open.pop();
            return Event.END;
        }
        while (true) {
            int first = peek();
            if (first == END_OF_INPUT) {
                return end();
            }
            if (first != '<') {
                if (readText()) {
                    return Event.TEXT;
                }
                continue;
            }
            read();
            Event event = switch (peek()) {
                case '/' -> endTag();
                case '?' -> instruction();
                case '!' -> exclamation();
                default -> startTag();
            };
            begun = true;
            if (event != null) {
                return event;
            }
        }
    }

    private Event end() {
        if (!open.isEmpty()) {
            throw malformed("the file ends inside <" + Words.quote(open.peek()) + ">");
        }
        if (!rootSeen) {
            throw malformed("there is no element");
        }
        return Event.END_OF_FILE;
    }

    /** Whether the text is in an element; blanks around the root are passed over. */
    private boolean readText() {
        text.setLength(0);
        boolean inside = !open.isEmpty();
        int brackets = 0;
        for (int c = peek(); c != '<' && c != END_OF_INPUT; c = peek()) {
            read();
            if (!inside && !XmlCharacters.isBlank(c)) {
                throw malformed("there is text outside the root element");
            }
            if (c == '>' && brackets >= 2) {
                throw malformed("there is ]]> in a text");
            }
            brackets = c == ']' ? brackets + 1 : 0;
            if (c == '&') {
                text.appendCodePoint(entity());
            } else {
                text.append((char) c);
            }
        }
        begun = true;
        return inside;
    }

    private Event startTag() {
        if (rootSeen && open.isEmpty()) {
            throw malformed("there is a second root element");
        }
        String element = readName();
        attributeNames.clear();
        attributeValues.clear();
        boolean blank = skipBlanks();
        for (int c = peek(); c != '>' && c != '/'; c = peek()) {
            if (!blank) {
                throw malformed("an attribute of <" + Words.quote(element) + "> does not begin with its name");
            }
            readAttribute(element);
            blank = skipBlanks();
        }
        endsAtOnce = read() == '/';
        if (endsAtOnce) {
            expect('>');
        }
        rootSeen = true;
        open.push(element);
        name = element;
        return Event.START;
    }

    private void readAttribute(String element) {
        String attribute = readName();
        skipBlanks();
        expect('=');
        skipBlanks();
        int quote = read();
        if (quote != '"' && quote != '\'') {
            throw malformed("the value of " + Words.quote(attribute) + " is not in quotes");
        }
        text.setLength(0);
        for (int c = read(); c != quote; c = read()) {
            if (c == '<' || c == END_OF_INPUT) {
                throw malformed("the value of " + Words.quote(attribute) + " does not end");
            }
            if (c == '&') {
                text.appendCodePoint(entity());
            } else {
                text.append(XmlCharacters.isBlank(c) ? ' ' : (char) c);
            }
        }
        if (attributeNames.contains(attribute)) {
            throw malformed("<" + Words.quote(element) + "> has the attribute " + Words.quote(attribute) + " twice");
        }
        if (attributeNames.size() == MAX_ATTRIBUTES) {
            throw malformed("<" + Words.quote(element) + "> has more than " + MAX_ATTRIBUTES + " attributes");
        }
        attributeNames.add(attribute);
        attributeValues.add(text.toString());
    }

    private Event endTag() {
        read();
        String element = readName();
        skipBlanks();
        expect('>');
        if (!element.equals(open.peek())) {
            throw malformed("</" + Words.quote(element) + "> ends an element that is not open");
        }
        name = open.pop();
        return Event.END;
    }

    private @Nullable Event instruction() {
        read();
        String target = readName();
        text.setLength(0);
        readUntil("?>");
        if (target.equalsIgnoreCase("xml")) {
            boolean right =
                    USUAL_DECLARATION.contentEquals(text) || text.toString().matches(DECLARATION);
            if (begun || !target.equals("xml") || !right) {
                throw malformed("the XML declaration is wrong, or not at the beginning");
            }
            return null;
        }
        if (text.length() > 0 && !XmlCharacters.isBlank(text.charAt(0))) {
            throw malformed("the name of an instruction does not end");
        }
        name = target;
        return Event.INSTRUCTION;
    }

    /** A comment and a DOCTYPE are no event. */
    private @Nullable Event exclamation() {
        read();
        if (peek() == '-') {
            read();
            expect('-');
            text.setLength(0);
            readUntil("--");
            expect('>');
            return null;
        }
        if (peek() == '[') {
            for (char c : "[CDATA[".toCharArray()) {
                expect(c);
            }
            if (open.isEmpty()) {
                throw malformed("there is text outside the root element");
            }
            text.setLength(0);
            readUntil("]]>");
            return Event.TEXT;
        }
        doctype();
        return null;
    }

    private void doctype() {
        for (char c : "DOCTYPE".toCharArray()) {
            expect(c);
        }
        if (doctypeSeen || rootSeen || !skipBlanks()) {
            throw malformed("the DOCTYPE is wrong, or not before the root element");
        }
        doctypeSeen = true;
        readName();
        boolean blank = skipBlanks();
        if (peek() == 'S' || peek() == 'P') {
            boolean isPublic = peek() == 'P';
            for (char c : (isPublic ? "PUBLIC" : "SYSTEM").toCharArray()) {
                expect(c);
            }
            if (!blank || (isPublic && (!skipBlanks() || !isPublicId(quoted()))) || !skipBlanks()) {
                throw malformed("the DOCTYPE is wrong");
            }
            quoted();
            skipBlanks();
        }
        if (peek() == '[') {
            throw malformed("a DOCTYPE with declarations is not accepted");
        }
        expect('>');
    }

    private static boolean isPublicId(String id) {
        return id.matches("[ \\na-zA-Z0-9'()+,./:=?;!*#@$_%-]*");
    }

    private String quoted() {
        int quote = read();
        if (quote != '"' && quote != '\'') {
            throw malformed("an identifier is not in quotes");
        }
        text.setLength(0);
        for (int c = read(); c != quote; c = read()) {
            if (c == END_OF_INPUT) {
                throw malformed("an identifier does not end");
            }
            text.append((char) c);
        }
        return text.toString();
    }

    /** Fills the text with all before the end, which is read, too. */
    private void readUntil(String end) {
        while (!endsWith(end)) {
            int c = read();
            if (c == END_OF_INPUT) {
                throw malformed("the file ends before " + end);
            }
            text.append((char) c);
        }
        text.setLength(text.length() - end.length());
    }

    private boolean endsWith(String end) {
        int start = text.length() - end.length();
        for (int i = 0; i < end.length(); i++) {
            if (start < 0 || text.charAt(start + i) != end.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** What is after the {@code &}, up to the semicolon. */
    private int entity() {
        StringBuilder reference = new StringBuilder();
        for (int c = read(); c != ';'; c = read()) {
            if (c == END_OF_INPUT || reference.length() > 10) {
                throw malformed("an entity does not end");
            }
            reference.append((char) c);
        }
        return switch (reference.toString()) {
            case "lt" -> '<';
            case "gt" -> '>';
            case "amp" -> '&';
            case "quot" -> '"';
            case "apos" -> '\'';
            default -> {
                if (reference.length() < 2 || reference.charAt(0) != '#') {
                    throw malformed("the entity " + Words.quote(reference.toString()) + " is not accepted");
                }
                yield input.character(reference.substring(1));
            }
        };
    }

    private String readName() {
        StringBuilder letters = new StringBuilder();
        for (int c = peek(); isNamePart(c, letters.length() == 0); c = peek()) {
            letters.append((char) read());
        }
        if (letters.length() == 0) {
            throw malformed("a name is missing");
        }
        return letters.toString();
    }

    /** All names of hwloc are of these; XML has more letters, and namespaces. */
    private static boolean isNamePart(int c, boolean first) {
        boolean start = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        return start || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
    }

    /** Whether there was one. */
    private boolean skipBlanks() {
        boolean some = false;
        while (XmlCharacters.isBlank(peek())) {
            read();
            some = true;
        }
        return some;
    }

    private void expect(char wanted) {
        int c = read();
        if (c != wanted) {
            throw malformed("'" + wanted + "' is missing");
        }
    }

    private int peek() {
        return input.peek();
    }

    private int read() {
        return input.read();
    }

    private TopologyException malformed(String reason) {
        return input.malformed(reason);
    }
}
