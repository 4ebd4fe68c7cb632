package org.berth.prose;

/**
 * One or more sentences of a file, with code replaced by {@link #CODE}. Line breaks are kept, so that a finding has its
 * line.
 *
 * @param file relative to the top of the tree
 * @param line of its first character, from 1
 */
record Passage(Kind kind, String file, int line, String text) {
    /** A proper noun that every rule of grammar accepts. */
    static final String CODE = "Linux";

    enum Kind {
        PAGE,
        /** The first sentence of a public class, method or field. */
        JAVADOC,
        /** The same of others, which only the project's patterns and its dictionary read. */
        INTERNAL_JAVADOC,
        /** A string of the sources that users see: a description, a message, a log line. */
        MESSAGE
    }

    int lineAt(int offset) {
        return line
                + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }
}
