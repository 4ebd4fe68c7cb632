package org.berth.topology.internal.xml;

import java.io.IOException;
import java.io.Reader;
import org.berth.text.Words;
import org.berth.topology.TopologyException;

/** The characters of a file, of which XML has not all, with the number of their line. */
final class XmlCharacters {
    static final int END_OF_INPUT = -1;

    private static final int BUFFER_CHARACTERS = 8192;
    private static final int LONGEST_REASON = 200;
    private static final int LAST_CODE_POINT = 0x10ffff;

    private final Reader input;
    private final char[] buffer = new char[BUFFER_CHARACTERS];
    private int at;
    private int limit;
    private int line = 1;

    /** The next character is the second half of one. */
    private boolean low;

    XmlCharacters(Reader input) {
        this.input = input;
    }

    /** The line of the last character that was read. */
    int line() {
        return line;
    }

    /** The next character, which stays; a line ends with a single {@code \n}, whatever stands in the file. */
    int peek() {
        if (at == limit) {
            fill();
        }
        if (at == limit) {
            return END_OF_INPUT;
        }
        char c = buffer[at];
        return c == '\r' ? '\n' : c;
    }

    int read() {
        int c = peek();
        if (c == END_OF_INPUT) {
            return c;
        }
        if ((c < ' ' && !isBlank(c)) || c >= 0xfffe) {
            throw malformed("there is the character " + c + ", which XML does not have");
        }
        boolean carriageReturn = buffer[at++] == '\r';
        if (Character.isSurrogate((char) c)) {
            requirePair((char) c);
        }
        if (carriageReturn && peek() == '\n' && buffer[at] == '\n') {
            at++;
        }
        if (c == '\n') {
            line++;
        }
        return c;
    }

    /** A high surrogate and then a low one. */
    private void requirePair(char c) {
        int next = low ? 0 : peek();
        if (low
                ? !Character.isLowSurrogate(c)
                : !Character.isHighSurrogate(c) || !Character.isLowSurrogate((char) next)) {
            throw malformed("half a character of 32 bits");
        }
        low = !low;
    }

    private void fill() {
        try {
            int count = input.read(buffer, 0, buffer.length);
            at = 0;
            limit = Math.max(0, count);
        } catch (IOException e) {
            throw new TopologyException(
                    "line " + line + ": " + Words.oneLine(String.valueOf(e.getMessage()), LONGEST_REASON), e);
        }
    }

    /** What {@code &#number;} stands for. */
    int character(String number) {
        boolean hexadecimal = number.charAt(0) == 'x';
        String digits = hexadecimal ? number.substring(1) : number;
        int code = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, hexadecimal ? 16 : 10) : -1;
            code = digit < 0 ? LAST_CODE_POINT + 1 : code * (hexadecimal ? 16 : 10) + digit;
            if (code > LAST_CODE_POINT) {
                break;
            }
        }
        boolean allowed =
                code >= 0x20 ? code < 0xd800 || (code > 0xdfff && code != 0xfffe && code != 0xffff) : isBlank(code);
        if (digits.isEmpty() || code > LAST_CODE_POINT || !allowed) {
            throw malformed("&#" + Words.quote(number) + "; is no character");
        }
        return code;
    }

    static boolean isBlank(int c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    TopologyException malformed(String reason) {
        return new TopologyException("line " + line + ": not well-formed XML: " + reason);
    }
}
