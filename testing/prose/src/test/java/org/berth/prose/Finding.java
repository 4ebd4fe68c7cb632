package org.berth.prose;

import java.util.Locale;

/** A sentence that an English-speaking engineer would not have written. */
record Finding(String file, int line, String rule, String excerpt, String advice) {
    static Finding of(Passage passage, int from, int to, String rule, String advice) {
        String text = passage.text();
        int start = Math.max(0, from - 50);
        int end = Math.min(text.length(), to + 40);
        String excerpt = text.substring(start, from) + "[" + text.substring(from, to) + "]" + text.substring(to, end);
        return new Finding(passage.file(), passage.lineAt(from), rule, excerpt.replaceAll("\\s+", " "), advice);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s:%d: %s: %s -> %s", file, line, rule, excerpt, advice);
    }
}
