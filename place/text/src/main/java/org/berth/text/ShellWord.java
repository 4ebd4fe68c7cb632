package org.berth.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words as a POSIX shell reads them back. Pure. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./^-]+");

    private ShellWord() {}

    /** A word of any bytes, in the way of bash and POSIX of 2024: {@code $'\xNN'} for those that are no letters of ASCII. */
    public static String ofBytes(byte[] word) {
        StringBuilder text = new StringBuilder("$'");
        for (byte one : word) {
            boolean plain = one >= ' ' && one < 0x7F && one != '\'' && one != '\\';
            text.append(plain ? Character.toString(one) : String.format(Locale.ROOT, "\\x%02x", one & 0xFF));
        }
        return text.append('\'').toString();
    }

    /** The word in single quotes where it needs them. */
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** A command as a line for a shell. */
    public static String line(List<String> words) {
        return words.stream().map(ShellWord::quote).collect(Collectors.joining(" "));
    }
}
