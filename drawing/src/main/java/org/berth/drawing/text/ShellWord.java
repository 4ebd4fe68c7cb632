package org.berth.drawing.text;

import java.util.regex.Pattern;

/** Words as a POSIX shell reads them back. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./^-]+");

    private ShellWord() {}

    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
