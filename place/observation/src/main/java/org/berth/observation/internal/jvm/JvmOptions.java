package org.berth.observation.internal.jvm;

import java.util.List;

/**
 * Which words of a command are options of the JVM that it starts: those in front of the main class or {@code -jar}. Thread-safe: it
 * has no state.
 *
 * @see <a href="https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html">The java command</a>
 * @since 0.1.0
 */
public final class JvmOptions {
    private static final String WITH_VALUE =
            "-cp|-p|-classpath|--(class|module|upgrade-module)-path|--add-[a-z]+|--limit-modules";

    private JvmOptions() {}

    /** The options with the words that are their values, and names of files of options, which begin with {@code @}. */
    public static List<String> of(List<String> command) {
        int first = Math.min(1, command.size());
        int end = first;
        while (end < command.size() && isOption(command, end)) {
            end++;
        }
        return command.subList(first, end);
    }

    private static boolean isOption(List<String> command, int at) {
        String word = command.get(at);
        return command.get(at - 1).matches(WITH_VALUE)
                || word.startsWith("@")
                || (word.startsWith("-") && !word.equals("-jar"));
    }
}
