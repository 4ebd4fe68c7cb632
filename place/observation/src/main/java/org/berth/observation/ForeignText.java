package org.berth.observation;

/**
 * Text of other users and programs: names of threads, command lines, answers of JVMs. Pure.
 *
 * @since 0.1.0
 */
public final class ForeignText {
    private ForeignText() {}

    /**
     * The text on one line, without what a terminal, a log or a page would obey: control characters (also those of eight bits),
     * separators of lines, characters that turn the direction of text, and halves of pairs each become a question mark.
     */
    public static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().map(c -> isObeyed(c) ? '?' : c).forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** Whether a terminal, a log or a page would do something for this code point instead of showing it. */
    public static boolean isObeyed(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                true;
            default ->
                codePoint == 0x061C
                        || codePoint == 0x200E
                        || codePoint == 0x200F
                        || (codePoint >= 0x202A && codePoint <= 0x202E)
                        || (codePoint >= 0x2066 && codePoint <= 0x2069);
        };
    }
}
