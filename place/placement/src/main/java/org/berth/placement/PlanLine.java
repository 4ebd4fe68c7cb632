package org.berth.placement;

import java.util.regex.Pattern;

/** Limits of a line of a plan's text, which has no escapes, so that the C agent can read it simply. */
final class PlanLine {
    private static final Pattern ROLE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private static final int LONGEST_QUOTE = 80;

    private PlanLine() {}

    /** Free text that runs to the end of a line. */
    static String requireFreeText(String what, String text) {
        int position = firstUnwritable(text);
        if (position >= 0) {
            throw new IllegalArgumentException(String.format(
                    "%s '%s' holds the control character U+%04X", what, shortened(text), text.codePointAt(position)));
        }
        return text;
    }

    static String requireRole(String role) {
        if (!ROLE.matcher(role).matches()) {
            throw new IllegalArgumentException(
                    "role '" + shortened(role) + "' is not a word of 1 to 64 letters, digits, '_', '.' or '-'");
        }
        return role;
    }

    /** The text with everything replaced that would break a line, for names that come from outside. */
    static String clean(String text) {
        StringBuilder result = new StringBuilder(text.length());
        text.codePoints().map(c -> isUnwritable(c) ? '?' : c).forEach(result::appendCodePoint);
        return result.toString();
    }

    /** Cleans a text and cuts it: the wrong text may be as long as a file, the message about it is one line. */
    static String shortened(String text) {
        int end = Math.min(text.length(), LONGEST_QUOTE);
        return clean(text.substring(0, end)) + (end < text.length() ? "..." : "");
    }

    private static int firstUnwritable(String text) {
        int codePoint;
        for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
            codePoint = text.codePointAt(i);
            if (isUnwritable(codePoint)) {
                return i;
            }
        }
        return -1;
    }

    /** Control characters break lines; a lone surrogate has no UTF-8 form. */
    private static boolean isUnwritable(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }
}
