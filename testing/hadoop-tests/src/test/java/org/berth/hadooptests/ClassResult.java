package org.berth.hadooptests;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a test class of Hadoop did in a forked JVM.
 *
 * @param clients how often it asked Berth's engine for a client
 */
record ClassResult(String name, long succeeded, long failed, int clients) {
    private static final Pattern LINE = Pattern.compile("berth-tests: (\\S+) (\\d+) (\\d+) (\\d+)");

    boolean passed() {
        return succeeded > 0 && failed == 0;
    }

    String line() {
        return "berth-tests: " + name + " " + succeeded + " " + failed + " " + clients;
    }

    static Optional<ClassResult> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? Optional.of(new ClassResult(
                        matcher.group(1),
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3)),
                        Integer.parseInt(matcher.group(4))))
                : Optional.empty();
    }
}
