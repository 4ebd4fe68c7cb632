package org.berth.observation.internal.kernel;

import java.util.OptionalLong;

/** Texts of the kernel with a name and a number in each line, such as {@code /proc/vmstat} and {@code /proc/PID/sched}. */
final class KernelText {
    private KernelText() {}

    /** The number of the line with exactly that name; a colon may stand between. Empty without such a line. */
    static OptionalLong number(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .filter(rest -> rest.matches("\\s*:?\\s*-?\\d{1,18}"))
                .mapToLong(rest -> Long.parseLong(rest.replace(":", "").strip()))
                .findFirst();
    }

    /** "always [madvise] never" gives "madvise"; a text without brackets is the choice itself. */
    static String chosen(String choices) {
        int open = choices.indexOf('[');
        int close = choices.indexOf(']');
        return open >= 0 && close > open ? choices.substring(open + 1, close) : choices;
    }
}
